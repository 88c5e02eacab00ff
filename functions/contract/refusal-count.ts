import type { ApiError } from '../../shared/core/errors.ts';
import type { Caller } from './caller.ts';
import type { Endpoint } from './endpoint.ts';
import { type Middleware, toApiError } from '../../shared/http/pipeline.ts';
import { requestIdOf } from '../../shared/http/request-id.ts';
import { sourceAddressOf } from '../../shared/http/source-address.ts';
import type { AdmittedCall } from './admission.ts';
import { LogInRefusal, LogOutRefusal, Refusal, type RefusalCause } from './refusal.ts';

/** For the write that counts a refusal. If it is not finished by then, the count is written with the next one. */
const NOTE_REFUSAL_MS = 500;

/** A request that was refused because of its caller. */
export interface RefusedCall {
  endpoint: Endpoint;
  /** Undefined on an endpoint without credentials. */
  caller: Caller | undefined;
  cause: RefusalCause;
  /** The details of a refused log-in or log-out. */
  logIn?: Pick<LogInRefusal, 'reason' | 'subject'>;
  sourceIp: string;
  requestId: string;
}

/** Counts a refusal; never throws, and takes at most `milliseconds`. */
export type NoteRefusal = (call: RefusedCall, milliseconds: number) => Promise<void>;

/**
 * Undefined for an error of the request itself. A call without credentials is no attempt; one with an enrolment token
 * is.
 */
export function causeOf({ role }: Endpoint, error: ApiError): RefusalCause | undefined {
  if (error instanceof Refusal) return error.refusal;
  if (error.kind === 'permissionDenied') return 'object';
  if (error.kind !== 'unauthenticated') return undefined;
  return role === 'none' ? 'token' : 'credential';
}

/** Counts the requests that are refused because of their callers. */
export const refusalCount = (noteRefusal: NoteRefusal): Middleware<AdmittedCall, Caller> => ({
  onError: async ({ event, error }) => {
    const { caller, call } = event;
    const apiError = toApiError(error);
    const cause = causeOf(call.contract, apiError);
    if (cause === undefined) return;
    const hasReason = apiError instanceof LogInRefusal || apiError instanceof LogOutRefusal;
    const logIn = hasReason ? { logIn: { reason: apiError.reason, subject: apiError.subject } } : {};
    const request = { sourceIp: sourceAddressOf(event), requestId: requestIdOf(event) };
    await noteRefusal({ endpoint: call.contract, caller, cause, ...logIn, ...request }, NOTE_REFUSAL_MS);
  },
});
