import fc from '../../../shared/testing/fast-check.ts';
import { byBytes, intersection, type TruncatedList, type Reference, union } from './merge-references.ts';

// Characters with surrogate pairs, and others whose order by code units differs from that by bytes.
const order = fc.oneof(
  fc.constantFrom('a', 'b', 'b#', 'B', '\u{ffff}', '\u{1f600}', '\u{e000}', '\u{10000}'),
  fc.string({ minLength: 1, maxLength: 2 }),
);
const partition = fc.uniqueArray(order, { maxLength: 12 });
const source = fc.array(partition, { minLength: 1, maxLength: 4 });

const sorted = (orders: Iterable<string>) => [...new Set(orders)].sort(byBytes);

/** The result of a query of a partition; it may end before its limit, as a query that has read 1 MB. */
function query(orders: readonly string[], after: string | undefined, size: number): TruncatedList {
  const rest = sorted(orders).filter((order) => after === undefined || byBytes(order, after) > 0);
  const references = rest.slice(0, size).map((order): Reference => ({ order, id: `id of ${order}` }));
  return { references, reach: rest.length > size ? references.at(-1) : undefined };
}

/** All pages of the intersection of the sources, as a list reads them. */
function pages(
  sources: readonly string[][][],
  size: number,
  endsEarly = false,
): { pages: string[][]; mostNamed: number } {
  const isWanted = (order: string) => sources.every((parts) => parts.some((orders) => orders.includes(order)));
  const pages: string[][] = [];
  let mostNamed = 0;
  for (let after: string | undefined; ;) {
    const [first, ...more] = sources.map((parts) =>
      union(
        parts.map((orders) => query(orders, after, Math.max(1, size - (endsEarly ? orders.length % 3 : 0)))),
        size,
      ),
    );
    const { references, reach } = intersection([first!, ...more]);
    mostNamed = Math.max(mostNamed, references.length);
    // A list also checks the objects themselves.
    pages.push(references.map((reference) => reference.order).filter(isWanted));
    if (reach === undefined) return { pages, mostNamed };
    if (after !== undefined && byBytes(reach.order, after) <= 0) throw new Error('no headway');
    after = reach.order;
  }
}

const sources = fc.array(source, { minLength: 1, maxLength: 3 });
const wanted = (all: readonly string[][][]) =>
  sorted(all.flat(2)).filter((order) => all.every((parts) => parts.some((orders) => orders.includes(order))));

test('pages of any size together contain each reference that all sources name once, in order', () => {
  fc.assert(
    fc.property(sources, fc.integer({ min: 1, max: 5 }), fc.boolean(), (all, size, endsEarly) =>
      expect(pages(all, size, endsEarly).pages.flat()).toEqual(wanted(all)),
    ),
    { numRuns: 2000 },
  );
});

test('no page names more objects than its size', () => {
  fc.assert(
    fc.property(sources, fc.integer({ min: 1, max: 5 }), (all, size) =>
      expect(pages(all, size).mostNamed).toBeLessThanOrEqual(size),
    ),
  );
});

test('the rarest condition decides the number of pages', () => {
  const names = Array.from({ length: 1000 }, (_, index) => String(index).padStart(4, '0'));
  const rare = names.filter((_, index) => index % 100 === 99);
  for (const all of [
    [[names], [rare]],
    [[rare], [names]],
    [[names], [rare.slice(0, 5), rare.slice(5)], [names]],
  ])
    expect(pages(all, 10).pages).toEqual([rare]);
});

const truncated = (orders: string[], reach?: string): TruncatedList => ({
  references: orders.map((order) => ({ order, id: order })),
  reach: reach === undefined ? undefined : { order: reach, id: reach },
});

test('a complete list decides where the page ends, also when a truncated one has fewer references', () => {
  const [complete, other] = [truncated(['a', 'b', 'c']), truncated(['a'], 'a')];
  for (const lists of [[complete, other] as const, [other, complete] as const]) {
    const { references, reach } = intersection(lists);
    expect([references.map(({ order: name }) => name), reach]).toEqual([['a', 'b', 'c'], undefined]);
  }
});

test('a truncated list excludes references that it does not contain, up to where it is complete', () => {
  // Up to c, the intersection is known: b is not in it. Beyond, it is unknown.
  expect(
    intersection([truncated(['a', 'c'], 'c'), truncated(['a', 'b', 'd'])]).references.map(
      (reference) => reference.order,
    ),
  ).toEqual(['a', 'd']);
});
