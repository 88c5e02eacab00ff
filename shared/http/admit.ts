import type { APIGatewayProxyEvent } from 'aws-lambda';
import { refusalMessages } from '../auth/refusal-messages.ts';
import { roleAllows } from '../auth/roles.ts';
import { secondsOf } from '../core/seconds.ts';
import { type Caller, callerFromContext } from './caller.ts';
import { inTime } from '../core/deadline.ts';
import type { Endpoint } from './endpoint.ts';
import { ApiError } from '../core/errors.ts';
import { SupersededSecret } from './superseded-secret.ts';
import type { ApiEvent, ConsumeRateLimit, PipelineDependencies, RefusalCause } from './api-request.ts';
import { textOf } from './parse-request.ts';

/**
 * For the write that counts a request, in addition to the deadline. If it fails, the request is refused, as without a
 * table.
 */
const RATE_LIMIT_MS = 1500;

/** Fails closed: without the authorizer's context the call is refused, even when the gateway let it through. */
function identify(event: APIGatewayProxyEvent): Caller {
  const caller = callerFromContext(event.requestContext.authorizer);
  if (caller === undefined) throw new ApiError('unauthenticated', refusalMessages.missing);
  return caller;
}

/** The cost of the request: one, unless the body is valid JSON and the contract states a higher cost for it. */
function costOf({ cost }: Endpoint, event: ApiEvent): number {
  if (cost === undefined) return 1;
  try {
    return Math.max(1, cost(JSON.parse(textOf(event))));
  } catch {
    return 1;
  }
}

/**
 * Counted here rather than by the authorizer, whose replies the gateway caches. Only a key with a limit costs a write.
 */
async function enforceRateLimit(
  endpoint: Endpoint,
  event: ApiEvent,
  {
    keyId,
    ratePerMinute,
    consumeRateLimit,
  }: { keyId: string; ratePerMinute: number; consumeRateLimit: ConsumeRateLimit },
): Promise<void> {
  const cost = costOf(endpoint, event);
  if (cost > ratePerMinute) {
    const message = `This request counts as ${cost} requests, but this key is limited to ${ratePerMinute} requests per minute. Send a smaller request.`;
    throw new ApiError('invalidArgument', message);
  }
  const seconds = await inTime(RATE_LIMIT_MS, () => consumeRateLimit(keyId, { ratePerMinute, cost }));
  if (seconds === undefined) return;
  const share = cost === 1 ? '' : `, and this request counts as ${cost}`;
  throw new ApiError(
    'resourceExhausted',
    `This key is limited to ${ratePerMinute} requests per minute${share}. Try again.`,
    {
      headers: { 'Retry-After': String(seconds) },
    },
  );
}

function mayCall({ role, kind }: Caller, endpoint: Endpoint): boolean {
  if (endpoint.role === 'none') return true;
  if (endpoint.callers?.includes(kind) === false) return false;
  if (role === 'Registrar') return endpoint.scoped === true;
  return role === 'Relay' ? endpoint.relay === true : roleAllows(role, endpoint.role);
}

/** Checks the caller: expiry, rate limit, role. */
export async function admit(
  endpoint: Endpoint,
  event: ApiEvent,
  { clock, consumeRateLimit }: PipelineDependencies,
): Promise<void> {
  const caller = identify(event);
  event.caller = caller;
  // The gateway may have cached the authorizer's reply beyond the expiry of the key.
  event.refusedFor = 'expired';
  if (caller.expiresAt !== undefined && caller.expiresAt <= secondsOf(clock()))
    throw new ApiError('unauthenticated', refusalMessages.expired);
  const { keyId, ratePerMinute } = caller;
  event.refusedFor = 'rate';
  if (ratePerMinute !== undefined) await enforceRateLimit(endpoint, event, { keyId, ratePerMinute, consumeRateLimit });
  event.refusedFor = 'role';
  if (!mayCall(caller, endpoint)) throw new ApiError('permissionDenied', 'Access denied.');
  event.refusedFor = undefined;
}

const refusedWith: ReadonlySet<string> = new Set(['unauthenticated', 'permissionDenied', 'resourceExhausted']);

/**
 * Undefined for an error of the request itself. A call without credentials is no attempt; one with an enrolment token
 * is.
 */
export function causeOf({ role }: Endpoint, { refusedFor }: ApiEvent, error: ApiError): RefusalCause | undefined {
  const { kind } = error;
  // The write that counts the calls of a key may fail, too.
  if (refusedFor !== undefined) return refusedWith.has(kind) ? refusedFor : undefined;
  if (error instanceof SupersededSecret) return 'superseded';
  if (kind === 'permissionDenied') return 'object';
  if (kind !== 'unauthenticated') return undefined;
  return role === 'none' ? 'token' : 'credential';
}
