import { ABSENT } from '../../../shared/db/conditions.ts';
import { contextOf, entity, node } from '../../../tests/support/store.ts';
import { changeIdOf, changeKey } from '../table/keys.ts';
import { changeIdIn, changeStep, lastChangeOf, type ObjectChange, toChange } from './change-record.ts';

const TIME = Date.parse('2026-05-01T10:00:00.999Z');
const ID = changeIdOf(2, TIME, 'abcdef', 1);

const writeContext = contextOf({ actor: { kind: 'user', id: 'admin', name: 'the admin' }, requestId: 'request' });

function itemOf(change: ObjectChange) {
  const step = changeStep(ID, change, writeContext);
  if (!('put' in step)) throw new Error('not a put');
  return step.put;
}

const changed = ({ object }: { object: object & { revision: number } }, more: object) =>
  entity('node', { ...object, revision: object.revision + 1, ...more });

test('an add contains the whole object, without internal fields', () => {
  const after = node({ node_name: 'n', last_change: undefined });
  expect(toChange(itemOf({ after }))).toEqual({
    change_id: ID,
    time: '2026-05-01T10:00:00.999Z',
    actor: writeContext.actor,
    request_id: 'request',
    kind: 'node',
    id: after.object.node_id,
    action: 'added',
    revision: 1,
    after: after.object,
  });
});

test('a change contains the differing fields, without the revision', () => {
  const before = node({ address: 'a', region: 'eu', last_change: 'previous id' });
  const { region: _, ...rest } = before.object;
  const after = changed({ object: rest }, { address: 'b', az: 'z' });
  expect(toChange(itemOf({ before, after }))).toMatchObject({
    action: 'changed',
    revision: 2,
    before: { address: 'a', region: 'eu' },
    after: { address: 'b', az: 'z' },
    previous: 'previous id',
  });
  const { before: was, after: is } = toChange(itemOf({ before, after }));
  expect([Object.keys(was!).sort(), Object.keys(is!).sort()]).toEqual([
    ['address', 'region'],
    ['address', 'az'],
  ]);
});

test('a removal contains the whole object and its last revision', () => {
  const before = node({ last_change: 'previous id', removing: true, revision: 3 });
  const { last_change: _, removing: __, ...object } = before.object;
  const change = toChange(itemOf({ before }));
  expect(change).toMatchObject({ action: 'removed', revision: 3, before: object, previous: 'previous id' });
  expect(change.before).toEqual(object);
  expect(change).not.toHaveProperty('after');
});

test('the previous change is that of the former object, or of a restored object its removal', () => {
  expect(lastChangeOf({ after: node() })).toBeUndefined();
  expect(lastChangeOf({ after: node({ last_change: 'removal' }) })).toBe('removal');
  expect(lastChangeOf({ before: node({ last_change: 'a' }), after: node({ last_change: 'b' }) })).toBe('a');
});

test('the item has the key of its id, and is deletable after 30 days', () => {
  const item = itemOf({ after: node() });
  expect(item).toMatchObject(changeKey(ID));
  expect(changeIdIn(item)).toBe(ID);
  expect(item['ttl']).toBe(Math.ceil(TIME / 1000) + 30 * 86_400);
});

test('a repeated write of a transaction is recognised by its record', () => {
  expect(changeStep(ID, { after: node() }, writeContext)).toMatchObject({
    exclusive: true,
    condition: ABSENT,
  });
});

test('a change without an object is an error', () => {
  expect(() => changeStep(ID, {}, writeContext)).toThrow('a change of nothing');
});
