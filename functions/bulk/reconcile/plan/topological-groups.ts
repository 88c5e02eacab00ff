/**
 * Sorts elements so that each one follows those that it depends on; the elements of a cycle form one group. Strongly
 * connected components by Tarjan, SIAM J. Comput. 1 (1972), without recursion, because chains may be long.
 *
 * @param waitsFor the dependencies of an element; all of them must be in `all`.
 */
export function topologicalGroups<T>(all: readonly T[], waitsFor: (vertex: T) => Iterable<T>): T[][] {
  const groups: T[][] = [];
  const indexes = new Map<T, number>();
  const lowest = new Map<T, number>();
  const open: T[] = [];
  const isOpen = new Set<T>();
  const low = (vertex: T) => lowest.get(vertex) ?? Infinity;
  const lower = (vertex: T, to: number) => lowest.set(vertex, Math.min(low(vertex), to));
  const enter = (vertex: T) => {
    indexes.set(vertex, indexes.size);
    lower(vertex, indexes.size - 1);
    open.push(vertex);
    isOpen.add(vertex);
    return { vertex, left: [...waitsFor(vertex)] };
  };
  const leave = (vertex: T) => {
    if (low(vertex) !== indexes.get(vertex)) return;
    const group = open.splice(open.indexOf(vertex));
    for (const member of group) isOpen.delete(member);
    groups.push(group);
  };
  for (const root of all) {
    if (indexes.has(root)) continue;
    const path = [enter(root)];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.left.shift();
      if (next === undefined) {
        path.pop();
        leave(top.vertex);
        const above = path.at(-1);
        if (above !== undefined) lower(above.vertex, low(top.vertex));
      } else if (!indexes.has(next)) path.push(enter(next));
      else if (isOpen.has(next)) lower(top.vertex, indexes.get(next) ?? Infinity);
    }
  }
  return groups;
}
