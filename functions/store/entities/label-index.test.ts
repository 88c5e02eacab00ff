import { node, service, external } from '../../../tests/support/store.ts';
import type { Requirement } from '../../../shared/selector/requirement.ts';
import type { ObjectKind } from '../table/keys.ts';
import { labelIndexPartition, overflowPartition } from '../table/keys.ts';
import { labelIndexKeys, partitionsFor } from './label-index.ts';

const labels = (count: number) =>
  Object.fromEntries(
    // The database returns labels in any order.
    Array.from({ length: count }, (_, index) => [`k${String(count - 1 - index).padStart(2, '0')}`, 'v']),
  );

const custom = (kind: ObjectKind, count: number) => {
  const more = { custom_labels: labels(count) };
  const objects = { node: node(more), service: service([], more), agent: external({}, more) };
  const keys = labelIndexKeys(kind, objects[kind].object, 'order');
  return {
    keys,
    labels: keys.filter(({ pk }) => pk.includes('#k')),
    overflow: keys.filter(({ pk }) => pk === overflowPartition(kind)),
  };
};

test.each([
  ['node', 32],
  ['service', 32],
  ['agent', 12],
] as const)('of the custom labels of a %s, %d are indexed, the first ones by name', (kind, most) => {
  const full = custom(kind, most);
  expect([full.labels.length, full.overflow.length]).toEqual([most, 0]);
  const more = custom(kind, most + 1);
  expect([more.labels.length, more.overflow.length]).toEqual([most, 1]);
  expect(more.labels.at(-1)?.pk).toBe(labelIndexPartition(kind, `k${String(most - 1).padStart(2, '0')}`, 'v'));
  expect(new Set(more.keys.map(({ sk }) => sk))).toEqual(new Set(['order']));
});

test('attributes are indexed by name, and hide labels with that name', () => {
  const entity = node({ region: 'eu', custom_labels: { region: 'label', a: 'b' } });
  const partitions = labelIndexKeys('node', entity.object, 'n').map(({ pk }) => pk);
  expect(partitions).toEqual(
    expect.arrayContaining([labelIndexPartition('node', 'region', 'eu'), labelIndexPartition('node', 'a', 'b')]),
  );
  expect(partitions).not.toContain(labelIndexPartition('node', 'region', 'label'));
  expect(labelIndexKeys('node', node().object, 'n')).toEqual([]);
});

describe('the partitions of a requirement', () => {
  const within = (label: string, ...values: string[]): Requirement => ({
    label,
    operator: 'in',
    values: values as [string, ...string[]],
  });

  test('are one for each value, and the overflow partition', () => {
    expect(partitionsFor('node', within('a', 'x', 'y', 'x'))).toEqual([
      labelIndexPartition('node', 'a', 'x'),
      labelIndexPartition('node', 'a', 'y'),
      overflowPartition('node'),
    ]);
  });

  test('have no overflow for an attribute', () => {
    expect(partitionsFor('node', within('region', 'eu'))).toEqual([labelIndexPartition('node', 'region', 'eu')]);
  });

  test('are at most ten values, and no other requirement is looked up', () => {
    const values = Array.from({ length: 11 }, (_, index) => String(index));
    expect(partitionsFor('node', within('a', ...values.slice(1)))).toHaveLength(11);
    expect(partitionsFor('node', within('a', ...values))).toBeUndefined();
    expect(partitionsFor('node', { label: 'a', operator: 'notin', values: ['x'] })).toBeUndefined();
    expect(partitionsFor('node', { label: 'a', operator: 'exists' })).toBeUndefined();
    expect(partitionsFor('node', within('node_name', 'x'))).toBeUndefined();
  });
});
