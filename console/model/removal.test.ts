import { inOrder, nameOfRemoved } from './removal.ts';

const object = (kind: 'node' | 'service' | 'agent', name: string) => ({
  ...{ kind, name },
  ...{ id: `${name}-0123456789`, change_id: '' },
});

test('nodes precede services, and services agents, each in their order', () => {
  const objects = [object('agent', 'b'), object('service', 's'), object('agent', 'a'), object('node', 'n')];
  expect(inOrder(objects).map(({ name }) => name)).toEqual(['n', 's', 'b', 'a']);
});

test('an agent is named by its type and the start of its id', () => {
  expect(nameOfRemoved({ kind: 'agent', id: '01234567-89ab', name: 'pmm_agent', change_id: '' })).toBe(
    'pmm_agent 01234567',
  );
  expect(nameOfRemoved({ kind: 'node', id: '01234567-89ab', name: 'db-1', change_id: '' })).toBe('db-1');
});
