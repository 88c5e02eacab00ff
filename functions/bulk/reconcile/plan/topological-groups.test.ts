import fc from '../../../../shared/testing/fast-check.ts';
import { topologicalGroups } from './topological-groups.ts';

const graph = fc.integer({ min: 1, max: 12 }).chain((size) =>
  fc.array(
    fc.subarray(
      Array.from({ length: size }, (_, index) => index),
      { maxLength: Math.min(size, 4) },
    ),
    {
      minLength: size,
      maxLength: size,
    },
  ),
);

/** The elements that can be reached from an element. */
function reach(edges: readonly number[][], from: number): Set<number> {
  const found = new Set<number>();
  const open = [...edges[from]!];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    if (found.size < found.add(next).size) open.push(...edges[next]!);
  return found;
}

test('every step occurs once, after its dependencies; a group contains just the steps that wait for each other', () => {
  fc.assert(
    fc.property(graph, (edges) => {
      const all = edges.map((_, index) => index);
      const groups = topologicalGroups(all, (one) => edges[one]!);
      expect(groups.flat().sort((left, right) => left - right)).toEqual(all);
      const place = new Map(groups.flatMap((group, index) => group.map((one) => [one, index] as const)));
      const reached = all.map((one) => reach(edges, one));
      for (const one of all)
        for (const other of all) {
          const isTogether = one === other || (reached[one]!.has(other) && reached[other]!.has(one));
          expect([one, other, place.get(one) === place.get(other)]).toEqual([one, other, isTogether]);
          if (!isTogether && reached[one]!.has(other)) expect(place.get(one)!).toBeGreaterThan(place.get(other)!);
        }
    }),
  );
});

test('a chain of any length', () => {
  const all = Array.from({ length: 20_000 }, (_, index) => index);
  expect(topologicalGroups(all, (one) => (one === 0 ? [] : [one - 1]))).toHaveLength(20_000);
  expect(topologicalGroups(all, (one) => [(one + 1) % all.length])).toHaveLength(1);
});
