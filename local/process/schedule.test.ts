import { mock } from 'node:test';
import type { LogEntry } from '../../shared/core/log.ts';
import { runEvery } from './schedule.ts';

const MINUTE = 60_000;
const logged: LogEntry[] = [];
const options = { log: (entry: LogEntry) => logged.push(entry), message: 'the work failed' };

beforeEach(() => {
  logged.length = 0;
  mock.timers.enable({ apis: ['setInterval'] });
});
afterEach(() => mock.timers.reset());

/** Waits until the promises of a run have been handled. */
const afterPromises = () => new Promise((resolve) => setImmediate(resolve));

/** Work of which the test ends each run. */
function controlled() {
  const runs: PromiseWithResolvers<undefined>[] = [];
  const work = async () => {
    const run = Promise.withResolvers<undefined>();
    runs.push(run);
    await run.promise;
  };
  return { runs, work };
}

test('runs after each interval, and not at the start', async () => {
  const { runs, work } = controlled();
  const { stop } = runEvery(2, work, options);
  mock.timers.tick(2 * MINUTE - 1);
  expect(runs).toHaveLength(0);
  for (const count of [1, 2, 3]) {
    mock.timers.tick(count === 1 ? 1 : 2 * MINUTE);
    expect(runs).toHaveLength(count);
    runs.at(-1)!.resolve(undefined);
    await afterPromises();
  }
  await stop();
});

test('skips the runs that fall into one in progress', async () => {
  const { runs, work } = controlled();
  const { stop } = runEvery(1, work, options);
  mock.timers.tick(3 * MINUTE);
  expect(runs).toHaveLength(1);
  runs[0]!.resolve(undefined);
  await afterPromises();
  mock.timers.tick(MINUTE);
  expect(runs).toHaveLength(2);
  runs[1]!.resolve(undefined);
  await stop();
});

test('logs a run that fails, with its message and its cause, and continues', async () => {
  const { runs, work } = controlled();
  const { stop } = runEvery(1, work, options);
  mock.timers.tick(MINUTE);
  runs[0]!.reject(new Error('no table'));
  await afterPromises();
  expect(logged).toEqual([{ level: 'error', message: 'the work failed', error: expect.stringContaining('no table') }]);
  mock.timers.tick(MINUTE);
  expect(runs).toHaveLength(2);
  runs[1]!.resolve(undefined);
  await stop();
  expect(logged).toHaveLength(1);
});

test('a stop waits for the run in progress, and no run follows it', async () => {
  const { runs, work } = controlled();
  const { stop } = runEvery(1, work, options);
  mock.timers.tick(MINUTE);
  let isStopped = false;
  const stopped = stop().then(() => (isStopped = true));
  await afterPromises();
  expect(isStopped).toBe(false);
  runs[0]!.resolve(undefined);
  await stopped;
  mock.timers.tick(10 * MINUTE);
  expect(runs).toHaveLength(1);
});

test('0 minutes: no run', async () => {
  const { runs, work } = controlled();
  const { stop } = runEvery(0, work, options);
  mock.timers.tick(10_000 * MINUTE);
  await stop();
  expect(runs).toHaveLength(0);
});
