import { rankOf } from './rank.ts';

test('of matching values the equal one is best, then whole words, then prefixes', () => {
  const best = ['10.20.3.17', '10.20.3.17:3306', 'db 10.20.3.17', '10.20.3.170', '110.20.3.17', '10.20.4.17'];
  expect(best.map((value) => rankOf([value], '10.20.3.17'))).toEqual([0, 1, 2, 3, 4, 5]);
});

test('of several values the best counts', () => {
  expect(rankOf(['other', '10.20.3.17:3306'], '10.20.3.17')).toBe(1);
});
