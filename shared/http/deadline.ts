import { AsyncLocalStorage } from 'node:async_hooks';
import { ApiError } from './errors.ts';

const deadlines = new AsyncLocalStorage<AbortSignal>();

/** Whether the work that asks has missed its deadline, so that its caller has been answered: it is to begin nothing more. */
export function isTooLate(): boolean {
  return deadlines.getStore()?.aborted === true;
}

/**
 * The result of the work, unless it takes too long: then the caller hears so instead of hanging. What is under way is not
 * stopped then, but nothing more is begun (`isTooLate`): a function that is frozen with its work half done must not go on
 * with it when it is thawed for another request.
 *
 * @throws ApiError `unavailable` (503, Retry-After).
 */
export async function inTime<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      late.abort();
      reject(
        new ApiError('unavailable', 'The service is slow. The change may have been made. Check before you repeat it.', {
          fault: 'deadline',
        }),
      );
    }, milliseconds);
  });
  try {
    return await Promise.race([deadlines.run(late.signal, work), deadline]);
  } finally {
    clearTimeout(timer);
  }
}
