import { lastsUntilNextReport, lifeOf, reportAfterSeconds, STORED_SHARE } from './liveness.ts';

const life = (stale_after: string) => lifeOf({ stale_after, offline_after: '365d' });

test('by default a host reports every 4 minutes, plus or minus 10 %', () => {
  expect([0, 0.5, 1].map((random) => reportAfterSeconds(lifeOf({}), random))).toEqual([216, 240, 264]);
});

test('a host that reports in time is never stale, although reports without news are not stored', () => {
  for (const stale of ['10s', '1m', '10m', '365d']) {
    const { staleAfter } = life(stale);
    const latest = reportAfterSeconds(life(stale), 1);
    expect(staleAfter * STORED_SHARE + latest).toBeLessThan(staleAfter);
    expect(reportAfterSeconds(life(stale), 0)).toBeGreaterThanOrEqual(1);
  }
});

test('a stored report lasts until half of stale_after, and one from the future is replaced', () => {
  const ages = [-1, 0, 299_999, 300_000];
  expect(ages.map((age) => lastsUntilNextReport(age, life('10m')))).toEqual([false, true, true, false]);
});
