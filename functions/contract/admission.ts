import type { APIGatewayProxyEvent } from 'aws-lambda';
import { refusalMessages } from '../../shared/auth/refusal-messages.ts';
import { roleAllows } from '../../shared/auth/roles.ts';
import { inTime } from '../../shared/core/deadline.ts';
import { ApiError } from '../../shared/core/errors.ts';
import type { ClockSource } from '../../shared/core/monotonic-clock.ts';
import { secondsOf } from '../../shared/core/seconds.ts';
import { valueAt } from '../../shared/core/violations.ts';
import type { ApiEvent } from '../../shared/http/api-request.ts';
import { type Caller, callerFromContext, refusalFromContext } from './caller.ts';
import type { Endpoint } from './endpoint.ts';
import { mayCall } from './may-call.ts';
import { textOf } from '../../shared/http/json-body.ts';
import type { Middleware } from '../../shared/http/pipeline.ts';
import { Refusal } from './refusal.ts';

/**
 * For the write that counts a request, in addition to the deadline. If it fails, the request is refused, as without a
 * table.
 */
const RATE_LIMIT_MS = 1500;

/**
 * Takes the cost of a request from the rate limit of a key in the present minute, entirely or not at all.
 *
 * @returns seconds to wait when too few requests are left; undefined when the cost was taken.
 */
export type ConsumeRateLimit = (
  keyId: string,
  limits: { ratePerMinute: number; cost: number },
) => Promise<number | undefined>;

export interface AdmissionDependencies extends ClockSource {
  clock: () => Date;
  consumeRateLimit: ConsumeRateLimit;
  /** Whether a password only opens sessions: the account `admin` is for emergencies. Default: false. */
  passwordsOpenSessions?: boolean;
}

/** A call as its admission needs it. */
export interface AdmittedCall {
  contract: Endpoint;
}

interface AdmittedRequest {
  body: unknown;
  caller: () => Caller;
}

/** Fails closed: without the authorizer's context the call is refused, even when the gateway let it through. */
function identify(event: APIGatewayProxyEvent): Caller {
  const caller = callerFromContext(event.requestContext.authorizer);
  if (caller === undefined) throw new ApiError('unauthenticated', refusalFromContext(event.requestContext.authorizer));
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
async function enforceRateLimit({
  cost,
  keyId,
  ratePerMinute,
  consumeRateLimit,
  timed,
}: {
  cost: number;
  keyId: string;
  ratePerMinute: number;
  consumeRateLimit: ConsumeRateLimit;
  timed: ClockSource;
}): Promise<void> {
  if (cost > ratePerMinute) {
    const message = `This request counts as ${cost} requests, but this key is limited to ${ratePerMinute} requests per minute. Send a smaller request.`;
    throw new ApiError('invalidArgument', message);
  }
  const seconds = await inTime(timed, RATE_LIMIT_MS, () => consumeRateLimit(keyId, { ratePerMinute, cost }));
  if (seconds === undefined) return;
  const share = cost === 1 ? '' : `, and this request counts as ${cost}`;
  const message = `This key is limited to ${ratePerMinute} requests per minute${share}. Try again.`;
  throw new Refusal('rate', 'resourceExhausted', message, { 'Retry-After': String(seconds) });
}

/** The calls that only a password admits open a session. */
const opensSession = ({ callers }: Endpoint) => callers?.includes('user') === true;

const forEmergencies = () =>
  new Refusal(
    'role',
    'permissionDenied',
    'Access denied: the account admin is for emergencies. Open a session with POST /v1/sessions, and use its key.',
  );

const wrongRole = () => new Refusal('role', 'permissionDenied', 'Access denied.');

/** Checks the caller: expiry, rate limit, role. */
export async function admit(
  endpoint: Endpoint,
  event: ApiEvent<Caller>,
  dependencies: AdmissionDependencies,
): Promise<void> {
  const caller = identify(event);
  event.caller = caller;
  await admitCaller(endpoint, { caller, cost: () => costOf(endpoint, event) }, dependencies);
}

/**
 * As `admit`, for a caller that is identified already.
 *
 * @param cost the number of requests that this one counts as.
 */
export async function admitCaller(
  endpoint: Endpoint,
  { caller, cost }: { caller: Caller; cost: () => number },
  dependencies: AdmissionDependencies,
): Promise<void> {
  const { clock, consumeRateLimit, passwordsOpenSessions = false } = dependencies;
  // The gateway may have cached the authorizer's reply beyond the expiry of the key.
  if (caller.expiresAt !== undefined && caller.expiresAt <= secondsOf(clock()))
    throw new Refusal('expired', 'unauthenticated', refusalMessages.expired);
  const { ratePerMinute, rateGroup: keyId = caller.keyId } = caller;
  if (ratePerMinute !== undefined)
    await enforceRateLimit({ cost: cost(), keyId, ratePerMinute, consumeRateLimit, timed: dependencies });
  if (!mayCall(caller, endpoint)) throw wrongRole();
  if (passwordsOpenSessions && caller.kind === 'user' && !opensSession(endpoint)) throw forEmergencies();
}

/**
 * The lower role of a contract suffices only if the validated body has its value.
 *
 * @throws Refusal for every other request of this role.
 */
export function admitBody({ role, lowerRole }: Endpoint, { body, caller }: AdmittedRequest): void {
  if (lowerRole === undefined || role === 'none' || valueAt(body, [lowerRole.field]) === lowerRole.value) return;
  if (!roleAllows(caller().role, role)) throw wrongRole();
}

/** Admits only permitted callers to a call that needs credentials. */
export const admission = (dependencies: () => AdmissionDependencies): Middleware<AdmittedCall, Caller> => ({
  before: ({ event }) => {
    const { contract } = event.call;
    return contract.role === 'none' ? undefined : admit(contract, event, dependencies());
  },
});
