import { remedyOfOversizedList } from './oversized-list.ts';

const group = (node: string | undefined, bytes: number) => ({
  targets: ['10.0.0.1:9100'],
  labels: {
    ...(node === undefined
      ? {}
      : { __meta_inventory_node_id: `id-${node}`, __meta_inventory_node_name: `name-${node}` }),
    __meta_inventory_label_text: 'x'.repeat(bytes),
  },
});

test('the remedy names the three nodes with most bytes, largest first', () => {
  const groups = [
    group('small', 10),
    ...Array.from({ length: 5 }, () => group('many', 1000)),
    group('large', 4000),
    group('second', 3000),
    group(undefined, 9000),
  ];
  const remedy = remedyOfOversizedList(groups);
  expect(remedy).toMatch(
    /^Request parts: \?shard=0\/4\. The nodes with the most bytes: "name-many" \(id-many, 5 targets, /,
  );
  expect(remedy.match(/"name-\w+"/g)).toEqual(['"name-many"', '"name-large"', '"name-second"']);
});

test('the number of parts grows with the list, also for a part', () => {
  const groups = Array.from({ length: 7 }, (_, index) => group(String(index), 1_000_000));
  expect(remedyOfOversizedList(groups)).toMatch(/^Request parts: \?shard=0\/4\./);
  expect(remedyOfOversizedList(groups, [], { index: 3, count: 4 })).toMatch(/^Request parts: \?shard=0\/8\./);
  expect(remedyOfOversizedList(groups, [], { index: 0, count: 64 })).toMatch(/^Request fewer targets\./);
  expect(remedyOfOversizedList([])).toBe('Request parts: ?shard=0/4.');
});

test('a long name is cut', () => {
  const remedy = remedyOfOversizedList([group('n'.repeat(512), 1)]);
  expect(remedy).toContain(`"name-${'n'.repeat(59)}..."`);
});

test('the remedy names the owner with most bytes', () => {
  const groups = Array.from({ length: 6 }, (_, index) => group(String(index), 1000));
  const remedy = remedyOfOversizedList(groups, ['a', 'b', undefined, 'a', 'b', 'a']);
  expect(remedy).toMatch(/ The owner with the most bytes: "a" \(3 targets, \d+ bytes\)\.$/);
});
