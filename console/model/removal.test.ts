import { inOrder, nameOfRemoved, type Removal, wholeRemovals } from './removal.ts';

const object = (kind: 'node' | 'service' | 'agent', name: string) => ({ kind, id: `${name}-0123456789`, name });

const removal = (id: string, ...objects: Removal['objects']): Removal => ({
  removal_id: id,
  removed_at: '2026-03-02T09:30:00.000Z',
  restorable_until: '2026-03-09T09:30:00.000Z',
  actor: { kind: 'user', id: 'admin', name: 'admin' },
  request_id: 'r-1',
  objects,
});

test('parts of one removal are one, in the place of the first', () => {
  const [one, two, three] = [object('agent', 'a'), object('service', 's'), object('node', 'n')];
  expect(wholeRemovals([removal('1', one), removal('1', two), removal('2', three)])).toEqual([
    removal('1', one, two),
    removal('2', three),
  ]);
});

test('nodes come first, then services, then agents, each kind as it was', () => {
  const objects = [object('agent', 'b'), object('service', 's'), object('agent', 'a'), object('node', 'n')];
  expect(inOrder(objects).map(({ name }) => name)).toEqual(['n', 's', 'b', 'a']);
});

test('an agent is named by its type and the start of its id', () => {
  expect(nameOfRemoved({ kind: 'agent', id: '01234567-89ab', name: 'pmm_agent' })).toBe('pmm_agent 01234567');
  expect(nameOfRemoved({ kind: 'node', id: '01234567-89ab', name: 'db-1' })).toBe('db-1');
});
