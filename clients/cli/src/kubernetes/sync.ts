import type { Clock } from '../core/clock.ts';
import type { DatabasePods } from './follow-pods.ts';

/** In milliseconds. */
export interface SyncTimers {
  /** Without a change before the inventory is reconciled. */
  quiet: number;
  /** The longest time from a change to the reconciliation, and from one that failed to the next one. */
  longest: number;
}

const late = Symbol('late');

/** The value, or `late` at the time of `elapsed`. */
async function before<Value>(
  value: Promise<Value>,
  time: number,
  { signal, clock }: { signal: AbortSignal; clock: Clock },
): Promise<Value | typeof late> {
  if (time === Infinity) return value;
  const left = time - clock.elapsed();
  // Values that follow each other closely would otherwise win against a timer each time.
  if (left <= 0) return late;
  const timer = new AbortController();
  const wait = clock.pause(left, AbortSignal.any([signal, timer.signal])).then((): typeof late => late);
  try {
    return await Promise.race([value, wait]);
  } finally {
    timer.abort();
    wait.catch(() => undefined);
  }
}

/**
 * Reconciles after changes of the pods, and only while all pods are known. Pods that change all the time delay it for
 * the longest time only.
 *
 * @param source ends by an error only, such as the reason of the signal.
 * @param reconcile returns false if it failed.
 */
export async function syncPods(
  source: AsyncGenerator<DatabasePods | undefined, void, void>,
  reconcile: (pods: DatabasePods) => Promise<boolean>,
  { quiet, longest }: SyncTimers,
  world: { signal: AbortSignal; clock: Clock },
): Promise<void> {
  const { clock } = world;
  const read = () => {
    const event = source.next();
    // It may fail while the inventory is reconciled.
    event.catch(() => undefined);
    return event;
  };
  let next = read();
  let pods: DatabasePods | undefined;
  // Times of `elapsed`; Infinity without an unreconciled change.
  let [due, latest] = [Infinity, Infinity];
  for (;;) {
    const event = await before(next, due, world);
    if (event === late) {
      const isDone = pods === undefined || (await reconcile(pods));
      due = isDone ? Infinity : clock.elapsed() + longest;
      latest = due;
    } else {
      if (event.done === true) return;
      next = read();
      pods = event.value;
      const now = clock.elapsed();
      latest = pods === undefined ? Infinity : Math.min(latest, now + longest);
      due = pods === undefined ? Infinity : Math.min(now + quiet, latest);
    }
  }
}
