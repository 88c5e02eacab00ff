import type * as z from 'zod/mini';
import type { EndpointHandler, LambdaHandler } from '../../shared/http/api-request.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { jsonCodec } from '../../shared/http/json-codec.ts';
import { outcomeLog } from '../../shared/http/middleware/outcome-log.ts';
import { type CallTable, createPipeline } from '../../shared/http/pipeline.ts';
import { type AdmittedCall, admission, admitBody } from '../contract/admission.ts';
import type { Caller } from '../contract/caller.ts';
import { changesNothing } from '../contract/changes-nothing.ts';
import type { RefusalCause } from '../contract/refusal.ts';
import { type RefusedCall, refusalCount } from '../contract/refusal-count.ts';
import type { RefusalReason } from '../domain/records/audit-events.ts';
import { recordRefusal, type AuditRefusal } from '../store/audit/refusals.ts';
import { consumeRateLimit } from '../store/credentials/rate-limit.ts';
import { createDependencies, type Dependencies } from './dependencies.ts';

type Schema = z.core.$ZodType;

export interface EndpointFunction {
  /** The Lambda handler that is deployed, with the dependencies of its process. */
  handler: LambdaHandler;
  /** The same handler with other dependencies, for tests. */
  handlerWith: (dependencies: Dependencies) => LambdaHandler;
}

const reasons = {
  expired: 'expired_key',
  credential: 'invalid_key',
  superseded: 'superseded_secret',
  role: 'role',
  object: 'scope',
  rate: 'rate_limit',
  token: 'invalid_token',
  log_in: 'wrong_password',
  log_out: 'invalid_identity',
} as const satisfies Record<RefusalCause, RefusalReason>;

/** The refusal as an audit entry. A call without a caller presented an enrolment token. */
export function refusalOf({ endpoint, caller, cause, logIn, sourceIp, requestId }: RefusedCall): AuditRefusal {
  const from = { sourceIp, requestId };
  if (logIn !== undefined)
    return { event: cause === 'log_out' ? 'log_out.refused' : 'sign_in.refused', ...logIn, ...from };
  const subject = { kind: 'endpoint', id: endpoint.id, name: `${endpoint.method} ${endpoint.path}` };
  if (caller === undefined) {
    const reason = cause === 'object' ? 'other_node' : reasons[cause];
    return { event: 'enrolment.refused', reason, subject, ...from };
  }
  const actor = { kind: caller.kind, id: caller.keyId, name: caller.name };
  // As in the authorizer: an expired or invalid credential identifies no actor.
  if (cause === 'credential' && caller.kind === 'user')
    return { event: 'sign_in.refused', reason: 'wrong_password', subject: actor, ...from };
  if (cause === 'expired' || cause === 'credential')
    return { event: 'api_key.refused', reason: reasons[cause], subject: actor, ...from };
  return { event: 'call.refused', reason: reasons[cause], actor, subject, ...from };
}

/** Of the admission of callers. */
export function admissionDependencies({ table, clock, adminAccount }: Dependencies) {
  const consume = (keyId: string, limits: { ratePerMinute: number; cost: number }) =>
    consumeRateLimit(table, { keyId, ...limits, now: clock() });
  const passwordsOpenSessions = adminAccount === 'emergency';
  return { clock, monotonic: table.monotonic, consumeRateLimit: consume, passwordsOpenSessions };
}

/** Joins calls to the function that is deployed. Their callers are admitted, and their outcomes logged and counted. */
export function createFunction<Call extends AdmittedCall, Request, Reply>(
  calls: CallTable<Call, Request, Reply, Dependencies, Caller>,
): EndpointFunction {
  const pipelineWith = (of: () => Dependencies) => {
    const middleware = [
      refusalCount((call, milliseconds) => recordRefusal(of(), refusalOf(call), milliseconds)),
      outcomeLog(() => of().log),
      admission(() => admissionDependencies(of())),
    ];
    return createPipeline(calls, middleware, of, () => of().table);
  };
  return { handler: pipelineWith(createDependencies), handlerWith: (others) => pipelineWith(() => others) };
}

/** Joins an endpoint and its handler to the function that is deployed. */
export function createEndpointFunction<
  Params extends Schema,
  Query extends Schema,
  Body extends Schema,
  Reply extends Schema,
>(
  endpoint: Endpoint<Params, Query, Body, Reply>,
  handle: EndpointHandler<Dependencies, Endpoint<Params, Query, Body, Reply>, Caller>,
): EndpointFunction {
  const call = { contract: endpoint };
  return createFunction({
    callOf: () => call,
    codec: jsonCodec<Params, Query, Body, Caller>(endpoint),
    handle: (request, dependencies: Dependencies) => {
      admitBody(endpoint, request);
      return handle(request, dependencies);
    },
    changesNothing: (request) => changesNothing(endpoint, request),
  });
}
