import { adviceAfterFailure } from '../core/deadline.ts';
import { ApiError } from '../core/errors.ts';
import { backOff, monotonicMs, type ClockSource } from '../core/monotonic-clock.ts';

/** Another request changed the items that a write was based on: read again and start over. */
export class StaleRead extends Error {
  /** The error for the caller if no other request changed the items. */
  readonly reason: ApiError | undefined;
  /** Which condition failed, on which item, and what the item contained. Two equal texts are the same refusal. */
  evidence: string | undefined;

  constructor(reason?: ApiError) {
    super('the item changed between the read and the write');
    this.name = 'StaleRead';
    this.reason = reason;
  }
}

/**
 * The database refused a call because of concurrent calls for the same items, or because of throttling. The call had no
 * effect.
 */
export class Contention extends ApiError {
  constructor(cause: unknown) {
    super('unavailable', 'Too many changes to the same objects at once. Try again.', { cause });
    this.name = 'Contention';
  }
}

const reasonOf = (fault: string | undefined) =>
  fault === undefined ? 'The service is busy.' : 'The table does not answer.';

/** A read has no result. It is not retried here: the client has done that. */
export class ReadFailure extends ApiError {
  /** @param fault as of `OutcomeUnknown`. */
  constructor(cause: unknown, fault?: string) {
    super('unavailable', `${reasonOf(fault)} ${adviceAfterFailure(true)}`, { cause, fault });
    this.name = 'ReadFailure';
  }
}

/**
 * The table did not reply, or its reply does not say whether a write took effect. Never retried: a second attempt could
 * mistake the effect of the first for another request's (a 409 for its own add), or write twice.
 */
export class OutcomeUnknown extends ApiError {
  /** @param fault the name of the fault for the log; undefined when the table is only busy. */
  constructor(cause: unknown, fault?: string) {
    super('unavailable', `${reasonOf(fault)} ${adviceAfterFailure()}`, { cause, fault });
    this.name = 'OutcomeUnknown';
  }
}

/**
 * The same refusal this often in a row is not contention: every attempt read the items again, and the item that refuses
 * the write did not change. With the pauses in between this takes half a second.
 */
const MAX_SAME_REFUSALS = 8;

/** How long a request retries before the caller gets 503 with Retry-After. */
const PATIENCE_MS = 8000;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 500;

/** Full jitter: requests that collided spread over the whole pause. */
const pauseMs = (attempt: number) => Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);

/** A write that can never succeed, because stored items contradict each other. The pipeline logs it as an error. */
function refusedAlways(error: StaleRead): ApiError {
  const why = error.reason?.message ?? 'Stored items contradict each other; the log names them.';
  const message = `The change is always refused, although no other request changes these objects. ${why}`;
  return new ApiError('internal', message, { cause: new Error(error.evidence, { cause: error }) });
}

/**
 * Repeats `attempt` after Contention and StaleRead, within the time of the request.
 *
 * @param timed the table, whose clock measures that time.
 * @throws ApiError `unavailable` (503, Retry-After) at the timeout; `internal` with the reason when the same condition
 *   fails on the same unchanged item each time; all other errors unchanged.
 */
export async function retryOnContention<T>(
  timed: ClockSource,
  attempt: () => Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const end = monotonicMs(timed) + patienceMs;
  let last: string | undefined;
  let same = 0;
  for (let count = 0; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StaleRead) && !(error instanceof Contention)) throw error;
      const evidence = error instanceof StaleRead ? error.evidence : undefined;
      same = evidence !== undefined && evidence === last ? same + 1 : 1;
      last = evidence;
      if (error instanceof StaleRead && same === MAX_SAME_REFUSALS) throw refusedAlways(error);
      if (monotonicMs(timed) > end)
        throw new ApiError('unavailable', 'Too many changes to the same objects at once. Try again.', { cause: error });
      await backOff(timed, pauseMs(count));
    }
  }
}
