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
  const reached = new Set<number>();
  const open = [...edges[from]!];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    if (reached.size < reached.add(next).size) open.push(...edges[next]!);
  return reached;
}

test('every step occurs once, after its dependencies, and a group contains the steps that wait for each other', () => {
  fc.assert(
    fc.property(graph, (edges) => {
      const all = edges.map((_, index) => index);
      const groups = topologicalGroups(all, (vertex) => edges[vertex]!);
      expect(groups.flat().sort((left, right) => left - right)).toEqual(all);
      const place = new Map(groups.flatMap((group, index) => group.map((vertex) => [vertex, index] as const)));
      const reached = all.map((vertex) => reach(edges, vertex));
      for (const vertex of all)
        for (const other of all) {
          const isTogether = vertex === other || (reached[vertex]!.has(other) && reached[other]!.has(vertex));
          expect([vertex, other, place.get(vertex) === place.get(other)]).toEqual([vertex, other, isTogether]);
          if (!isTogether && reached[vertex]!.has(other)) expect(place.get(vertex)!).toBeGreaterThan(place.get(other)!);
        }
    }),
  );
});

test('a chain may have any length', () => {
  const all = Array.from({ length: 20_000 }, (_, index) => index);
  expect(topologicalGroups(all, (vertex) => (vertex === 0 ? [] : [vertex - 1]))).toHaveLength(20_000);
  expect(topologicalGroups(all, (vertex) => [(vertex + 1) % all.length])).toHaveLength(1);
});
