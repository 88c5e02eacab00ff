import { type FlatCost, measureFlat } from './flat-reads.ts';

/** Other hosts than those that the requests ask for: the second inventory is five times the first. */
const HOSTS = [200, 1000] as const;

/** Partitions that are read side by side are rounded up to half a unit each. */
const ROUNDED = 4;

let small: FlatCost[];
let large: FlatCost[];

beforeAll(async () => {
  small = await measureFlat(HOSTS[0]);
  large = await measureFlat(HOSTS[1]);
});

const grownOf = (ways: readonly string[]) =>
  small.flatMap(({ request, way, readUnits }, index) => {
    const { readUnits: then } = large[index]!;
    const isGrown = then > readUnits * 1.5 + ROUNDED;
    return ways.includes(way) && isGrown ? [`${request}: ${readUnits} and ${then} units`] : [];
  });

test('each request finds what it asks for, in both inventories', () => {
  const wrong = [...small, ...large].flatMap(({ request, size, expected }) =>
    expected === undefined || size === expected ? [] : [`${request}: ${size} instead of ${expected}`],
  );
  expect(wrong).toEqual([]);
});

test('with five times the inventory and the same reply, a request by an index or a stored count reads as much', () => {
  expect(grownOf(['index', 'kept'])).toEqual([]);
});

test('a walk of the heartbeats or agents grows with the inventory, as stated', () => {
  expect(grownOf(['walk'])).toHaveLength(small.filter(({ way }) => way === 'walk').length);
});
