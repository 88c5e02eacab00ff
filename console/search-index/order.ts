/** Numbers within a text count as numbers: 10.0.0.9 is before 10.0.0.10. */
export const { compare: byNumbers } = new Intl.Collator('en', { numeric: true });

/** Sorts by a text of each item. Items without one are last in both directions. */
export function ordered<T>(items: readonly T[], keyOf: (item: T) => string | undefined, descending: boolean): T[] {
  const direction = descending ? -1 : 1;
  return items
    .map((item) => ({ item, key: keyOf(item) }))
    .sort(({ key: left }, { key: right }) => {
      if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
      return direction * byNumbers(left, right);
    })
    .map(({ item }) => item);
}
