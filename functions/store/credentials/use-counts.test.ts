import { apiKey } from '../../../tests/support/credentials.ts';
import { fakeTable } from '../../../tests/support/table.ts';
import { addUses, countUse, sumOfUses, takeUses } from './use-counts.ts';

const table = () => fakeTable(() => ({}));
const at = (day: number) => new Date(`2026-03-0${day}T23:59:59Z`);

test('uses are counted by key and UTC day, and taken once', () => {
  const [here, key, other] = [table(), apiKey(), apiKey()];
  for (const day of [1, 1, 2]) countUse(here, key, at(day));
  countUse(here, other, at(1));
  expect(takeUses(here, key)).toEqual({ '2026-03-01': 2, '2026-03-02': 1 });
  expect([takeUses(here, key), takeUses(here, other), takeUses(table(), other)]).toEqual([
    ...[undefined, { '2026-03-01': 1 }, undefined],
  ]);
});

test('sessions and keys of programs are not counted', () => {
  const here = table();
  for (const key of [apiKey({ kind: 'session' }), apiKey({ provider: 'ci' })]) {
    countUse(here, key, at(1));
    expect(takeUses(here, key)).toBeUndefined();
  }
});

test('counts that could not be written are added to later ones', () => {
  const [here, key] = [table(), apiKey()];
  countUse(here, key, at(2));
  addUses(here, key, { '2026-03-01': 4, '2026-03-02': 1 });
  expect(takeUses(here, key)).toEqual({ '2026-03-01': 4, '2026-03-02': 2 });
});

test('a sum has the latest seven days with a use', () => {
  const days = (...numbers: number[]) => Object.fromEntries(numbers.map((day) => [`2026-03-0${day}`, day]));
  expect(sumOfUses(days(8, 1, 2, 3), days(7, 6, 5, 4))).toEqual(days(2, 3, 4, 5, 6, 7, 8));
  expect(sumOfUses(undefined, days(1))).toEqual(days(1));
  expect(sumOfUses(days(1))).toEqual(days(1));
});

test('counts of 10,000 keys wait, and above that the oldest is dropped', () => {
  const here = table();
  const keys = Array.from({ length: 10_001 }, () => apiKey());
  for (const key of keys) countUse(here, key, at(1));
  expect([takeUses(here, keys[0]!), takeUses(here, keys[1]!)]).toEqual([undefined, { '2026-03-01': 1 }]);
});
