import type { ApiError } from '../../core/errors.ts';
import { describeError, type Log } from '../../core/log.ts';
import { commonErrors } from '../http-contract.ts';
import { type CallEvent, type Middleware, toApiError } from '../pipeline.ts';
import { requestIdOf } from '../request-id.ts';

function logOutcome(log: Log, event: CallEvent, outcome: { status: number; error?: ApiError }): void {
  const { status, error } = outcome;
  const { contract } = event.call;
  const isUndeclared =
    error !== undefined &&
    error.kind !== 'internal' &&
    ![...commonErrors(contract), ...contract.errors].includes(error.kind);
  const isError = isUndeclared || error?.kind === 'internal' || error?.fault !== undefined;
  log({
    level: isError ? 'error' : 'info',
    message: isUndeclared ? 'an error that the contract does not declare' : 'request',
    endpoint: contract.id,
    request_id: requestIdOf(event),
    status,
    caller_kind: event.caller?.kind,
    caller_id: event.caller?.keyId,
    error: error?.kind,
    fault: error?.fault,
    cause: error !== undefined && (isError || error.kind === 'unavailable') ? describeError(error) : undefined,
  });
}

/** Logs the outcome of each call. An error that the contract does not declare is logged as a fault of the service. */
export const outcomeLog = (log: () => Log): Middleware => ({
  after: ({ event, response }) => {
    if (event.isRoutine !== true) logOutcome(log(), event, { status: response?.statusCode ?? 0 });
  },
  onError: ({ event, response, error }) => {
    logOutcome(log(), event, { status: response?.statusCode ?? 0, error: toApiError(error) });
  },
});
