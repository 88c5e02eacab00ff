import { type ManualClock, turnOfTheLoop } from './manual-clock.ts';

/** More than any wait of a test. */
const LIMIT_MS = 600_000;

const STEP_MS = 50;

interface PassingTime {
  /** Lets time pass until a condition is true. @throws Error when it is not true after ten minutes of the clock. */
  until: (isTrue: () => Promise<boolean> | boolean) => Promise<void>;
  /** Lets time pass until a promise has a value. */
  during: <Value>(promise: Promise<Value>) => Promise<Value>;
}

/**
 * Time on a clock of the test for what needs sockets and a table: it stands still while the table has a request, so that no
 * deadline depends on how slow the machine is.
 */
export function passingTime(clock: () => ManualClock, isBusy: () => boolean): PassingTime {
  const until = async (isTrue: () => Promise<boolean> | boolean) => {
    for (const end = clock().now() + LIMIT_MS; !(await isTrue());) {
      if (clock().now() > end) throw new Error('Ten minutes of the clock have passed.');
      if (isBusy()) await turnOfTheLoop();
      else await clock().pass(STEP_MS);
    }
  };
  const during = async <Value>(promise: Promise<Value>) => {
    let isDone = false;
    const done = () => (isDone = true);
    promise.then(done, done);
    await until(() => isDone);
    return promise;
  };
  return { until, during };
}
