import { ApiError } from '../../../shared/http/errors.ts';
import { MAX_REMOVALS } from '../../catalogue/reconcile.ts';
import { lambda } from '../../lambda.ts';
import type { Services } from '../../services.ts';
import { type Origin, originOf } from '../../table/origin.ts';
import {
  getKeptRequest,
  getReconciliation,
  keepReconciliation,
  noteProgress,
  type Progress,
} from '../../table/reconciliations.ts';
import { errorOf, partsOf, throwIfAllUnavailable } from '../settle.ts';
import { applyGroups, mayPass, type Outcome } from './apply.ts';
import { endpoint } from './endpoint.ts';
import { Ledger } from './ledger.ts';
import { checkNotEmpty, planned, type ReconcileRequest, refusalOf } from './planned.ts';
import { fingerprintOf, type ReconcilePlan, type Step } from './planner.ts';
import { fitting, type Item, type Reply, shownStep } from './shown.ts';

/** One request, with what it needs besides what it asks for. */
interface Call {
  services: Services;
  origin: Origin;
  callerId: string;
  requestId: string;
  part: ReturnType<typeof partsOf>;
  /** When it began, as `performance.now` says. */
  start: number;
}

/** What is out of date is read and planned anew as long as another round is likely to fit. */
const MAX_ROUNDS = 4;
const LAST_ROUND_MS = 10_000;

function itemOf(step: Step, outcome: Outcome | undefined, requestId: string, isFound = false): Item {
  const { id, changes, blocked } = step;
  return {
    ...shownStep(step),
    ...(outcome === 'done' && !isFound ? { id } : {}),
    ...(changes.length === 0 ? {} : { changes }),
    ...(blocked === undefined ? {} : { blocked }),
    ...(outcome === undefined
      ? {}
      : outcome === 'done'
        ? { outcome }
        : { outcome: mayPass(outcome) ? 'not_done' : 'failed', error: errorOf(outcome, requestId) }),
  };
}

function countsOf({ groups, blocked, inScope, unchanged }: ReconcilePlan) {
  const steps = [...groups.flat(), ...blocked];
  const count = (action: Step['action']) => steps.filter((step) => step.action === action).length;
  return {
    in_scope: inScope,
    add: count('add'),
    change: count('change'),
    remove: count('remove'),
    unchanged,
    blocked: blocked.length,
  };
}

const shownProgress = ({ state, total, done, failed }: Progress) => ({ state, progress: { total, done, failed } });

async function show({ services, callerId, requestId }: Call, request: ReconcileRequest): Promise<Reply> {
  const plan = await planned(services, request);
  checkNotEmpty(request, plan);
  const refusal = refusalOf(request, plan);
  const steps = [...plan.groups.flat(), ...plan.blocked];
  const total = plan.groups.flat().length;
  const progress: Progress = { state: total === 0 ? 'done' : 'planned', total, done: 0, failed: 0, failures: [] };
  const isKept = refusal === undefined && total > 0;
  const id = { planId: services.newId(), callerId, now: services.clock() };
  const kept = isKept
    ? await keepReconciliation(services.table, id, { request, fingerprints: steps.map(fingerprintOf) }, progress)
    : undefined;
  return {
    ...(kept === undefined ? {} : { plan_id: kept.plan_id, expires_at: kept.expires_at }),
    ...shownProgress(progress),
    ...countsOf(plan),
    ...(refusal === undefined ? {} : { refusal }),
    ...fitting(steps.map((step) => itemOf(step, undefined, requestId))),
  };
}

function checkAllowed(request: ReconcileRequest, plan: ReconcilePlan): void {
  checkNotEmpty(request, plan);
  const refusal = refusalOf(request, plan);
  if (refusal !== undefined) throw new ApiError('failedPrecondition', refusal);
}

/** Does what the plan says, and plans again while there is something out of date, unless only this very plan is wanted. */
async function apply(
  call: Call,
  request: ReconcileRequest,
  { first, isShown }: { first: ReconcilePlan; isShown: boolean },
): Promise<Ledger> {
  const { services, origin, part, start } = call;
  const ledger = new Ledger();
  let plan = first;
  for (let round = 1; ; round += 1) {
    ledger.plan(plan);
    const outcomes = await applyGroups(services, plan.groups, { origin, part });
    ledger.settle(outcomes);
    throwIfAllUnavailable([...outcomes.values()]);
    const isLast = isShown || round === MAX_ROUNDS || performance.now() - start > LAST_ROUND_MS;
    if (isLast || ledger.left === 0) return ledger;
    plan = await planned(services, request);
    if (refusalOf(request, plan) !== undefined) return ledger;
  }
}

function appliedReply(
  { requestId }: Call,
  plan: ReconcilePlan,
  ledger: Ledger,
  progress: Progress,
): Reply & { items: Item[] } {
  return {
    ...shownProgress(progress),
    ...countsOf(plan),
    ...fitting([
      ...ledger.entries.map(({ step, outcome, isFound }) => itemOf(step, outcome, requestId, isFound)),
      ...plan.blocked.map((step) => itemOf(step, undefined, requestId)),
    ]),
  };
}

const pathOf = (planId: string) => `/v1/reconcile/${planId}`;

/** Applies what is desired. What one request is too short for is kept, to be gone on with. */
async function applyRequest(call: Call, request: ReconcileRequest) {
  const { services, callerId } = call;
  const first = await planned(services, request);
  checkAllowed(request, first);
  const ledger = await apply(call, request, { first, isShown: false });
  const progress = ledger.progress();
  const body = appliedReply(call, first, ledger, progress);
  if (ledger.left === 0) return { status: 200 as const, body };
  const id = { planId: services.newId(), callerId, now: services.clock() };
  const { plan_id: planId, expires_at } = await keepReconciliation(services.table, id, { request }, progress);
  return { status: 202 as const, body: { plan_id: planId, expires_at, ...body }, location: pathOf(planId) };
}

/**
 * What was shown is done and nothing else: before anything is done, exactly this has to be left to do; later, a part of it.
 *
 * @throws ApiError `revisionMismatch`.
 */
function checkAsShown({ groups, blocked }: ReconcilePlan, fingerprints: readonly string[], isBegun: boolean): void {
  const shown = new Set(fingerprints);
  const now = (isBegun ? groups.flat() : [...groups.flat(), ...blocked]).map(fingerprintOf);
  const isSame = now.every((one) => shown.has(one)) && (isBegun || now.length === shown.size);
  if (isSame) return;
  const what = isBegun ? 'nothing more' : 'nothing';
  throw new ApiError(
    'revisionMismatch',
    `The inventory has moved on since this was planned: ${what} was done. Plan again.`,
  );
}

/** Applies a plan by its id, or goes on with it. */
async function applyPlan(call: Call, planId: string) {
  const { services, callerId } = call;
  const { table, clock } = services;
  const known = await getReconciliation(table, { planId, callerId, now: clock() });
  const { request, fingerprints } = await getKeptRequest(table, planId, known.parts);
  const plan = await planned(services, request);
  if (fingerprints !== undefined) checkAsShown(plan, fingerprints, known.state !== 'planned');
  checkAllowed(request, plan);
  // Noted before anything is done: what this leaves half done, if it is cut off, is still as it was shown.
  if (known.state === 'planned') await noteProgress(table, planId, { ...known, state: 'applying' });
  const ledger = await apply(call, request, { first: plan, isShown: fingerprints !== undefined });
  const progress = ledger.progress(known.total);
  await noteProgress(table, planId, progress);
  const body = { plan_id: planId, expires_at: known.expires_at, ...appliedReply(call, plan, ledger, progress) };
  return ledger.left === 0 ? { status: 200 as const, body } : { status: 202 as const, body, location: pathOf(planId) };
}

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const start = performance.now();
  const { body, requestId } = request;
  const { mode, scope, desired, max_removals: most = MAX_REMOVALS, plan_id: planId } = body;
  const part = partsOf({ endpointId: endpoint.id, requestId }, services.log);
  const callerId = request.caller().keyId;
  const call = { services, origin: originOf(request, services), callerId, requestId, part, start };
  if (planId !== undefined) return applyPlan(call, planId);
  if (scope === undefined || desired === undefined) throw new Error('a body that its schema does not let through');
  const wanted = { scope, desired, max_removals: most };
  return mode === 'apply' ? applyRequest(call, wanted) : { status: 200, body: await show(call, wanted) };
});
