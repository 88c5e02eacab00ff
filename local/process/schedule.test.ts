import type { LogEntry } from '../../shared/core/log.ts';
import { type ManualClock, manualClock } from '../../tests/support/manual-clock.ts';
import { runEvery } from './schedule.ts';

const MINUTE = 60_000;
const logged: LogEntry[] = [];
let monotonic: ManualClock;
const log = (entry: LogEntry) => logged.push(entry);

beforeEach(() => {
  logged.length = 0;
  monotonic = manualClock();
});

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
  const { stop } = runEvery(2, work, { log, monotonic, message: 'the work failed' });
  monotonic.advance(2 * MINUTE - 1);
  expect(runs).toHaveLength(0);
  for (const count of [1, 2, 3]) {
    monotonic.advance(count === 1 ? 1 : 2 * MINUTE);
    expect(runs).toHaveLength(count);
    runs.at(-1)!.resolve(undefined);
    await afterPromises();
  }
  await stop();
});

test('skips the runs that fall into one in progress', async () => {
  const { runs, work } = controlled();
  const { stop } = runEvery(1, work, { log, monotonic, message: 'the work failed' });
  monotonic.advance(3 * MINUTE);
  expect(runs).toHaveLength(1);
  runs[0]!.resolve(undefined);
  await afterPromises();
  monotonic.advance(MINUTE);
  expect(runs).toHaveLength(2);
  runs[1]!.resolve(undefined);
  await stop();
});

test('logs a run that fails, with its message and its cause, and continues', async () => {
  const { runs, work } = controlled();
  const { stop } = runEvery(1, work, { log, monotonic, message: 'the work failed' });
  monotonic.advance(MINUTE);
  runs[0]!.reject(new Error('no table'));
  await afterPromises();
  expect(logged).toEqual([{ level: 'error', message: 'the work failed', error: expect.stringContaining('no table') }]);
  monotonic.advance(MINUTE);
  expect(runs).toHaveLength(2);
  runs[1]!.resolve(undefined);
  await stop();
  expect(logged).toHaveLength(1);
});

test('a stop waits for the run in progress, and no run follows it', async () => {
  const { runs, work } = controlled();
  const { stop } = runEvery(1, work, { log, monotonic, message: 'the work failed' });
  monotonic.advance(MINUTE);
  let isStopped = false;
  const stopped = stop().then(() => (isStopped = true));
  await afterPromises();
  expect(isStopped).toBe(false);
  runs[0]!.resolve(undefined);
  await stopped;
  monotonic.advance(10 * MINUTE);
  expect(runs).toHaveLength(1);
});

test('0 minutes: no run', async () => {
  const { runs, work } = controlled();
  const { stop } = runEvery(0, work, { log, monotonic, message: 'the work failed' });
  monotonic.advance(10_000 * MINUTE);
  await stop();
  expect(runs).toHaveLength(0);
});
