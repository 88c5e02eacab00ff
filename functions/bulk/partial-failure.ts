import { redact } from '../../shared/core/redact.ts';
import { inTime, isTooLate } from '../../shared/core/deadline.ts';
import { ApiError, errorBody, type ErrorBody } from '../../shared/core/errors.ts';
import { describeError, type Log } from '../../shared/core/log.ts';
import { monotonicMs, type ClockSource } from '../../shared/core/monotonic-clock.ts';
import { LAST_BEGIN_MS, LAST_END_MS } from '../domain/bulk/limits.ts';

/** The error of a part that did not begin. */
export const notBegun = () =>
  new ApiError('unavailable', 'Not done: the time limit of the request was reached. Send it again.');

/**
 * Runs the parts of a request, each of which may fail by itself, within the time of the request. The error of a part
 * becomes its outcome. A part that cannot begin in time does not begin, and its outcome is `unavailable`.
 */
export function partsOf(
  request: { endpointId: string; requestId: string },
  { log, table }: { log: Log; table: ClockSource },
): <T>(work: () => Promise<T>) => Promise<T | ApiError> {
  const start = monotonicMs(table);
  return async (work) => {
    const elapsed = monotonicMs(table) - start;
    if (elapsed > LAST_BEGIN_MS || isTooLate()) return notBegun();
    try {
      return await inTime(table, LAST_END_MS - elapsed, work);
    } catch (error) {
      const apiError = error instanceof ApiError ? error : undefined;
      const isFault = apiError === undefined || apiError.kind === 'internal' || apiError.fault !== undefined;
      if (isFault || apiError.kind === 'unavailable')
        log({
          level: isFault ? 'error' : 'info',
          message: 'a part of a request failed',
          endpoint: request.endpointId,
          request_id: request.requestId,
          fault: apiError?.fault,
          cause: describeError(error),
        });
      return apiError ?? new ApiError('internal', 'Internal server error.', { cause: error });
    }
  };
}

const isUnavailable = (outcome: unknown) => outcome instanceof ApiError && outcome.kind === 'unavailable';

/** @throws ApiError when every outcome is `unavailable`: the client then waits and repeats the whole request. */
export function throwIfAllUnavailable(outcomes: readonly unknown[]): void {
  const [first] = outcomes;
  if (first instanceof ApiError && outcomes.every(isUnavailable)) throw first;
}

/** The error of a part, in the form that the reply to a separate request would have. */
export function errorOf({ kind, message, details }: ApiError, requestId: string): ErrorBody {
  return errorBody(kind, redact(message), requestId, details);
}
