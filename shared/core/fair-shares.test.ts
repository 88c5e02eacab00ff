import fc from '../testing/fast-check.ts';
import { type Part, sharedFairly } from './fair-shares.ts';

/** The sizes of the parts that share. */
const fairShares = (parts: readonly Part[], total: number) =>
  sharedFairly(parts, total, (part, most) => ({ ...part, bytes: most }))?.map(({ bytes }) => bytes);

const part = (sharer: string, bytes: number, least = 10): Part => ({ sharer, bytes, least });

test('parts that fit are unchanged', () => {
  expect(fairShares([], 0)).toEqual([]);
  expect(fairShares([part('a', 60), part('b', 40)], 100)).toEqual([60, 40]);
});

test('the largest sharer is reduced, and of its parts the largest', () => {
  const parts = [part('a', 100), part('a', 20), part('b', 40), part('c', 15)];
  expect(fairShares(parts, 125)).toEqual([50, 20, 40, 15]);
  // One with many small parts is as large as one with few large ones.
  const many = Array.from({ length: 10 }, () => part('many', 20));
  expect(fairShares([...many, part('few', 30)], 160)).toEqual([...Array(10).fill(13), 30]);
});

test('parts that do not fit at their least sizes have no shares', () => {
  expect(fairShares([part('a', 60, 50), part('b', 60, 50)], 100)).toEqual([50, 50]);
  expect(fairShares([part('a', 60, 50), part('b', 60, 51)], 100)).toBeUndefined();
});

const parts = fc.array(
  fc
    .record({ sharer: fc.constantFrom('a', 'b', 'c'), least: fc.nat(20), more: fc.nat(1000) })
    .map(({ sharer, least, more }): Part => ({ sharer, bytes: least + more, least })),
  { maxLength: 12 },
);

test('property: all parts fit, nothing is unused, and no sharer above its share reduces another', () => {
  fc.assert(
    fc.property(parts, fc.nat(4000), (all, total) => {
      const shares = fairShares(all, total);
      const sum = (numbers: readonly number[]) => numbers.reduce((left, right) => left + right, 0);
      if (shares === undefined) {
        expect(sum(all.map(({ least }) => least))).toBeGreaterThan(total);
        return;
      }
      const whole = sum(all.map(({ bytes }) => bytes));
      expect(sum(shares)).toBeCloseTo(Math.min(whole, total), 6);
      const taken = new Map<string, number>();
      for (const [index, { sharer, bytes, least }] of all.entries()) {
        expect(shares[index]).toBeGreaterThanOrEqual(least);
        expect(shares[index]).toBeLessThanOrEqual(bytes);
        taken.set(sharer, (taken.get(sharer) ?? 0) + shares[index]! - least);
      }
      const most = Math.max(0, ...taken.values());
      // Who became smaller has no less than anybody else.
      for (const [index, { sharer, bytes }] of all.entries())
        if (shares[index]! < bytes - 1e-6) expect(taken.get(sharer)).toBeCloseTo(most, 6);
    }),
    { numRuns: 200 },
  );
});
