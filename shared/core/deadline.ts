import { AsyncLocalStorage } from 'node:async_hooks';
import { type ClockSource, clockOf } from './monotonic-clock.ts';
import { ApiError } from './errors.ts';

interface Work {
  isPast: boolean;
  /** It changes nothing. */
  isRead: boolean;
}

const deadlines = new AsyncLocalStorage<Work>();

/**
 * Whether the current work has missed its deadline, so that its caller already has a reply. It must then begin nothing
 * more.
 */
export function isTooLate(): boolean {
  return deadlines.getStore()?.isPast === true;
}

/** The advice in the error of work without a result. Only work that changes something may have made a change. */
export const adviceAfterFailure = (isRead = deadlines.getStore()?.isRead === true): string =>
  isRead ? 'Repeat the request later.' : 'The change may have been made. Check before you repeat it.';

const tooSlow = (isRead: boolean) =>
  new ApiError('unavailable', `The service is slow. ${adviceAfterFailure(isRead)}`, { fault: 'deadline' });

/**
 * The result of the work, or an error after the deadline. Calls in progress are not stopped, but no further ones begin
 * (`isTooLate`): a function that Lambda freezes in the middle of its work must not continue it when it is resumed for
 * another request.
 *
 * @param timed its clock measures the time.
 * @param isRead the work changes nothing; default: as the work of which it is a part.
 * @throws ApiError `unavailable` (503, Retry-After).
 */
export function inTime<T>(
  timed: ClockSource,
  milliseconds: number,
  work: () => Promise<T>,
  isRead = deadlines.getStore()?.isRead === true,
): Promise<T> {
  const state = { isPast: false, isRead };
  // One promise: Promise.race would make four more for each request.
  return new Promise((resolve, reject) => {
    const cancel = clockOf(timed).after(milliseconds, () => {
      state.isPast = true;
      reject(tooSlow(isRead));
    });
    deadlines.run(state, work).then(
      (result) => {
        cancel();
        resolve(result);
      },
      (error: unknown) => {
        cancel();
        reject(error instanceof Error ? error : new Error('the work failed', { cause: error }));
      },
    );
  });
}
