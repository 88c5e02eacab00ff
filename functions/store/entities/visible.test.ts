import { messageOf } from '../../pmm/operations/objects.ts';
import { objectJson } from '../../replies/object-json.ts';
import { entity, node, service } from '../../../tests/support/store.ts';
import type { ObjectChange } from '../history/change-record.ts';
import { toReplyWith } from '../heartbeats/shown-state.ts';
import { type Entity, type EntityOf, parsed } from './entity.ts';
import { isVisible, visible } from './key-scope.ts';
import { testTime } from '../../../tests/support/test-time.ts';

const unchecked: EntityOf<'node'> = parsed('node', node().object);
const now = testTime();

test('a record and a reply of an entity without a check of the scope do not compile', () => {
  // @ts-expect-error the type of `before` is Visible
  const removal: ObjectChange = { before: unchecked };
  // @ts-expect-error the type of `after` is Visible
  const addition: ObjectChange = { after: unchecked };
  const replies = [
    // @ts-expect-error its parameter is Visible
    () => toReplyWith(unchecked, new Map(), now),
    // @ts-expect-error its parameter is Visible
    () => objectJson(unchecked.object),
    // @ts-expect-error its parameter is Visible
    () => messageOf(unchecked, {}, 3),
  ];
  expect([removal, addition, ...replies]).toHaveLength(5);
});

test('a copy of a checked entity with other fields is unchecked', () => {
  const { object } = node();
  const other: EntityOf<'node'> = { kind: 'node', object: { ...object, node_id: 'other' } };
  // @ts-expect-error `other` is a copy
  const change: ObjectChange = { after: other };
  expect(change.after).toBe(other);
});

test('the check makes the entity visible, or refuses it', () => {
  const inScope = entity('node', unchecked.object);
  const id = inScope.object.node_id;
  const all: readonly Entity[] = [unchecked, service([unchecked]), service()];
  expect(objectJson(visible(id, unchecked).object).text).toBe(objectJson(inScope.object).text);
  expect(all.map((entity) => isVisible(id, entity))).toEqual([true, true, false]);
  expect(all.every((entity) => isVisible(undefined, entity))).toBe(true);
  expect(() => visible('another', unchecked)).toThrow('Access denied');
});
