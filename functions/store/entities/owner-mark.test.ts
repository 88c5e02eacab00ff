import { node } from '../../../tests/support/store.ts';
import { labelIndexPartition, overflowPartition } from '../table/keys.ts';
import { labelIndexKeys, ownerMark } from './label-index.ts';

/** A node with this number of labels before the owner label by name. */
const withLabels = (count: number, more: Record<string, string>) =>
  node({
    custom_labels: {
      ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${String(index).padStart(2, '0')}`, 'v'])),
      ...more,
    },
  }).object;

const owned = labelIndexPartition('node', 'team', 'a');
const isIndexed = (object: ReturnType<typeof withLabels>, mark?: string) =>
  labelIndexKeys('node', mark === undefined ? object : { ...object, owner_label: mark }, 'order').some(
    ({ pk }) => pk === owned,
  );

test('only an object with more labels than are indexed, and with the owner label, has the mark', () => {
  const marks = [31, 32].map((count) => ownerMark('node', withLabels(count, { team: 'a' }), 'team'));
  expect(marks).toEqual([undefined, 'team']);
  expect(ownerMark('node', withLabels(40, {}), 'team')).toBeUndefined();
  expect(ownerMark('node', withLabels(40, { team: 'a' }), 'owner')).toBeUndefined();
});

test('with the mark, the owner label replaces the last indexed label', () => {
  const object = withLabels(32, { team: 'a' });
  expect([isIndexed(object), isIndexed(object, 'team')]).toEqual([false, true]);
  const partitions = labelIndexKeys('node', { ...object, owner_label: 'team' }, 'order').map(({ pk }) => pk);
  expect(partitions).toContain(labelIndexPartition('node', 'k30', 'v'));
  expect(partitions).not.toContain(labelIndexPartition('node', 'k31', 'v'));
  expect(partitions).toContain(overflowPartition('node'));
  expect(new Set(partitions).size).toBe(partitions.length);
});

test('with a mark of a former owner label, the entries are those of that label', () => {
  const object = withLabels(32, { team: 'a', zone: 'z' });
  const partitions = labelIndexKeys('node', { ...object, owner_label: 'zone' }, 'order').map(({ pk }) => pk);
  expect(partitions).toContain(labelIndexPartition('node', 'zone', 'z'));
  expect(partitions).not.toContain(owned);
});
