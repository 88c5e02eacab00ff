import { AsyncLocalStorage } from 'node:async_hooks';
import { type ClockSource, clockOf } from './monotonic-clock.ts';
import { ApiError } from './errors.ts';

const deadlines = new AsyncLocalStorage<{ isPast: boolean }>();

/**
 * Whether the current work has missed its deadline, so that its caller already has a reply. It must then begin nothing
 * more.
 */
export function isTooLate(): boolean {
  return deadlines.getStore()?.isPast === true;
}

const tooSlow = (isRead: boolean) =>
  new ApiError(
    'unavailable',
    isRead
      ? 'The service is slow. Repeat the request later.'
      : 'The service is slow. The change may have been made. Check before you repeat it.',
    { fault: 'deadline' },
  );

/**
 * The result of the work, or an error after the deadline. Calls in progress are not stopped, but no further ones begin
 * (`isTooLate`): a function that Lambda freezes in the middle of its work must not continue it when it is resumed for
 * another request.
 *
 * @param timed its clock measures the time.
 * @param isRead the work changes nothing.
 * @throws ApiError `unavailable` (503, Retry-After).
 */
export function inTime<T>(
  timed: ClockSource,
  milliseconds: number,
  work: () => Promise<T>,
  isRead = false,
): Promise<T> {
  const state = { isPast: false };
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
