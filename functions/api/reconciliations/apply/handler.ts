import { createHash } from 'node:crypto';
import type * as z from 'zod/mini';
import { canonicalJson } from '../../../../shared/core/canonical-json.ts';
import { PreparedJson } from '../../../../shared/http/prepared-json.ts';
import { monotonicMs } from '../../../../shared/core/monotonic-clock.ts';
import type { reconcileBody } from '../../../domain/bulk/reconcile-request.ts';
import { MAX_REMOVALS_PERCENT } from '../../../domain/fields/safety-threshold.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import {
  findReconciliation,
  getReconciliation,
  keepReconciliation,
  type Progress,
  type StoredReconciliation,
} from '../../../store/jobs/reconciliations.ts';
import { planOwner } from '../../../bulk/reconcile/plan-owner.ts';
import { errorOf, partsOf } from '../../../bulk/partial-failure.ts';
import { mayPass, type Outcome } from '../../../bulk/reconcile/execute.ts';
import { endpoint } from './endpoint.ts';
import { isSkipped, type Outcomes, type SkipResult } from '../../../bulk/reconcile/outcomes.ts';
import { checkNotEmpty, planned, type ReconcileRequest, refusalOf } from '../../../bulk/reconcile/compute-plan.ts';
import { digestOf, fingerprintOf, type ReconcilePlan } from '../../../bulk/reconcile/plan/planner.ts';
import type { Step } from '../../../bulk/reconcile/plan/step.ts';
import { fitReply, type Item, type Reply, toItemReply } from '../../../bulk/reconcile/reply-items.ts';
import { apply, checkAllowed, otherPlan, resume, type Work } from '../../../bulk/reconcile/run.ts';
import { watchRequest } from '../../../bulk/reconcile/watch.ts';

type Body = z.output<typeof reconcileBody>;

/** One request. */
interface ReconcileCall extends Work {
  callerId: string;
  requestId: string;
}

function itemOf(step: Step, outcome: Outcome | SkipResult | undefined, requestId: string, isFound = false): Item {
  const { id, changes, blocked } = step;
  return {
    ...toItemReply(step),
    ...(outcome === 'done' && !isFound ? { id } : {}),
    ...(changes.length === 0 ? {} : { changes }),
    ...(blocked === undefined ? {} : { blocked }),
    ...(outcome === undefined ? {} : shownOutcome(outcome, requestId)),
  };
}

function shownOutcome(outcome: Outcome | SkipResult, requestId: string): Pick<Item, 'outcome' | 'error' | 'skipped'> {
  if (outcome === 'done') return { outcome };
  if (isSkipped(outcome)) return { outcome: 'skipped', skipped: outcome.skipped };
  return { outcome: mayPass(outcome) ? 'not_done' : 'failed', error: errorOf(outcome, requestId) };
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

const shownProgress = ({ state, total, done, failed, skipped = 0 }: Progress) => ({
  state,
  progress: { total, done, failed, skipped },
});

interface PlanToKeep {
  plan: ReconcilePlan;
  request: ReconcileRequest;
  planId: string;
  progress: Progress;
}

/** Stores a plan with the fingerprints of its items: only these are applied later. */
function keepPlan(
  { dependencies, writeContext, callerId }: ReconcileCall,
  { plan, request, planId, progress }: PlanToKeep,
) {
  const { table, clock } = dependencies;
  const fingerprints = [...plan.groups.flat(), ...plan.blocked].map(fingerprintOf);
  return keepReconciliation(
    table,
    { planId, callerId, writeContext, now: clock() },
    { request, fingerprints },
    progress,
  );
}

const plannedProgress = ({ groups }: ReconcilePlan): Progress => {
  const total = groups.flat().length;
  return { state: total === 0 ? 'done' : 'planned', total, done: 0, failed: 0, failures: [] };
};

async function showPlan(call: ReconcileCall, request: ReconcileRequest) {
  const { dependencies, requestId, writeContext } = call;
  const plan = await planned(dependencies, request, writeContext.limit);
  checkNotEmpty(request, plan);
  const refusal = refusalOf(request, plan);
  const steps = [...plan.groups.flat(), ...plan.blocked];
  const progress = plannedProgress(plan);
  const isKept = refusal === undefined && progress.total > 0;
  const kept = isKept ? await keepPlan(call, { plan, request, planId: dependencies.newId(), progress }) : undefined;
  const body: Reply = {
    ...(kept === undefined ? {} : { plan_id: kept.plan_id, expires_at: kept.expires_at }),
    plan_digest: digestOf(request, plan),
    ...shownProgress(progress),
    ...countsOf(plan),
    ...(refusal === undefined ? {} : { refusal }),
    ...fitReply(steps.map((step) => itemOf(step, undefined, requestId))),
  };
  return { status: 200 as const, body };
}

function appliedReply(
  { requestId }: ReconcileCall,
  plan: ReconcilePlan,
  outcomes: Outcomes,
  progress: Progress,
): Reply & { items: Item[] } {
  return {
    ...shownProgress(progress),
    ...countsOf(plan),
    ...fitReply([
      ...outcomes.entries.map(({ step, outcome, isFound }) => itemOf(step, outcome, requestId, isFound)),
      ...plan.blocked.map((step) => itemOf(step, undefined, requestId)),
    ]),
  };
}

const pathOf = (planId: string) => `/v1/reconcile/${planId}`;

/** Applies `desired`. If one request is not enough, the reconciliation is stored, and can be resumed. */
async function applyRequest(call: ReconcileCall, request: ReconcileRequest) {
  const { dependencies, writeContext, callerId } = call;
  const first = await planned(dependencies, request, writeContext.limit);
  checkAllowed(request, first);
  const outcomes = await apply(call, request, first);
  const progress = outcomes.progress();
  const body = appliedReply(call, first, outcomes, progress);
  if (outcomes.left === 0) return { status: 200 as const, body };
  const id = { planId: dependencies.newId(), callerId, writeContext, now: dependencies.clock() };
  const { plan_id: planId, expires_at } = await keepReconciliation(dependencies.table, id, { request }, progress);
  return { status: 202 as const, body: { plan_id: planId, expires_at, ...body }, location: pathOf(planId) };
}

/** Applies a stored plan, or resumes it. */
async function applyPlan(call: ReconcileCall, stored: StoredReconciliation, present?: ReconcilePlan) {
  const { plan_id: planId } = stored;
  const watch = watchRequest(call.dependencies, stored);
  const { plan, outcomes, progress } = await resume({ ...call, watch }, stored, present);
  const body = { plan_id: planId, expires_at: stored.expires_at, ...appliedReply(call, plan, outcomes, progress) };
  return outcomes.left === 0
    ? { status: 200 as const, body }
    : { status: 202 as const, body, location: pathOf(planId) };
}

/** The id under which a caller applies the plan with a digest: the same request finds it, and resumes it. */
function idOfShown(callerId: string, request: ReconcileRequest, digest: string): string {
  const hash = createHash('sha256')
    .update(canonicalJson([callerId, digest, request]))
    .digest('hex');
  // A UUID of version 8.
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}

/** Applies or resumes the plan with a digest. Unlike a plan with an id, any caller may have requested it. */
async function applyShown(call: ReconcileCall, request: ReconcileRequest, digest: string) {
  const { callerId, dependencies, writeContext } = call;
  const plan = await planned(dependencies, request, writeContext.limit);
  const planId = idOfShown(callerId, request, digest);
  if (digestOf(request, plan) === digest) {
    checkAllowed(request, plan);
    await keepPlan(call, { plan, request, planId, progress: plannedProgress(plan) });
  }
  const stored = await findReconciliation(dependencies.table, { planId, callerId, now: dependencies.clock() });
  if (stored !== undefined) return applyPlan(call, stored, plan);
  throw otherPlan('The inventory or the request has changed since the plan with this plan_digest was made.');
}

type ReconcileAnswer = Awaited<ReturnType<typeof applyRequest | typeof applyPlan>>;

async function answerTo(
  call: ReconcileCall,
  { mode, scope, desired, max_removals_percent, plan_id: planId, plan_digest: digest }: Body,
): Promise<ReconcileAnswer> {
  const { callerId, dependencies } = call;
  if (planId !== undefined) {
    const { table, clock } = dependencies;
    return applyPlan(call, await getReconciliation(table, { planId, callerId, now: clock() }));
  }
  if (scope === undefined || desired === undefined) throw new Error('a body that its schema refuses');
  const wanted = { scope, desired, max_removals_percent: max_removals_percent ?? MAX_REMOVALS_PERCENT };
  if (digest !== undefined) return applyShown(call, wanted, digest);
  return mode === 'apply' ? applyRequest(call, wanted) : showPlan(call, wanted);
}

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const start = monotonicMs(dependencies.table);
  const { requestId } = request;
  const part = partsOf({ endpointId: endpoint.id, requestId }, dependencies);
  const callerId = planOwner(request.caller());
  const call = { dependencies, writeContext: writeContextOf(request, dependencies), callerId, requestId, part, start };
  const { body, ...reply } = await answerTo(call, request.body);
  // Not validated again, as other replies with objects: a plan has thousands of items.
  return { ...reply, body: new PreparedJson(JSON.stringify(body)) };
});
