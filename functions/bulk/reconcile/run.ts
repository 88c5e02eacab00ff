import { ApiError } from '../../../shared/core/errors.ts';
import { monotonicMs } from '../../../shared/core/monotonic-clock.ts';
import { LAST_BEGIN_MS } from '../../domain/bulk/limits.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import { findObjects } from '../../store/entities/get.ts';
import type { WriteContext } from '../../store/entities/write-context.ts';
import { idOf } from '../../store/entities/entity.ts';
import {
  getKeptRequest,
  noteBusy,
  noteProgress,
  type Progress,
  type StoredReconciliation,
} from '../../store/jobs/reconciliations.ts';
import { type partsOf, throwIfAllUnavailable } from '../partial-failure.ts';
import { applyGroups } from './execute.ts';
import { Outcomes } from './outcomes.ts';
import { checkNotEmpty, planned, type ReconcileRequest, refusalOf } from './compute-plan.ts';
import { fingerprintOf, type ReconcilePlan } from './plan/planner.ts';
import type { Step } from './plan/step.ts';
import type { Watch } from './watch.ts';

/** One request or invocation that works on a reconciliation. */
export interface Work {
  dependencies: Dependencies;
  writeContext: WriteContext;
  part: ReturnType<typeof partsOf>;
  /** Of a job: checks whether it was cancelled. */
  watch?: Watch | undefined;
  /** Of the worker that continues jobs: whether a request performs steps at this moment. It has precedence. */
  isOvertaken?: (() => Promise<boolean>) | undefined;
  /** The start, by the monotonic clock of the table. */
  start: number;
}

/** Outdated steps are planned again as long as another round is likely to fit into the time. */
const MAX_ROUNDS = 4;
const LAST_ROUND_MS = 10_000;

/** @throws ApiError `failedPrecondition` when `desired` is empty, or when the removals exceed the safety threshold. */
export function checkAllowed(request: ReconcileRequest, plan: ReconcilePlan): void {
  checkNotEmpty(request, plan);
  const refusal = refusalOf(request, plan);
  if (refusal !== undefined) throw new ApiError('failedPrecondition', refusal);
}

/** The ids of these objects that exist. One round of strongly consistent batch reads. */
async function existing({ table }: Dependencies, steps: readonly Step[]): Promise<Set<string>> {
  return new Set(steps.length === 0 ? [] : (await findObjects(table, steps)).map(idOf));
}

const fingerprintsOf = ({ groups }: ReconcilePlan) => groups.flat().map(fingerprintOf);

/** Whether every step of the plan is one of these. */
const isPartOf = (plan: ReconcilePlan, shown: ReadonlySet<string>) =>
  fingerprintsOf(plan).every((step) => shown.has(step));

/**
 * Performs a plan, and plans again while outdated steps are left, or after a step was refused for the first time.
 *
 * @param shown fingerprints of the steps that the caller saw: no others are performed. Undefined: any steps are.
 */
export async function apply(
  work: Work,
  request: ReconcileRequest,
  first: ReconcilePlan,
  shown?: ReadonlySet<string>,
): Promise<Outcomes> {
  const { dependencies, writeContext, part, start, watch } = work;
  const outcomes = new Outcomes();
  let plan = first;
  for (let round = 1; ; round += 1) {
    outcomes.plan(plan);
    const results = await applyGroups(dependencies, plan.groups, { writeContext, part, watch });
    outcomes.record(results);
    if (watch?.ending() !== undefined) return outcomes;
    // Without time for a step, as after a slow plan of a large scope, a job continues; so it does after some steps are done.
    if (round === 1 && monotonicMs(dependencies.table) - start <= LAST_BEGIN_MS)
      throwIfAllUnavailable([...results.values()]);
    const isLast = round === MAX_ROUNDS || monotonicMs(dependencies.table) - start > LAST_ROUND_MS;
    if (isLast || (outcomes.left === 0 && !outcomes.isDoubtful)) return outcomes;
    plan = await planned(dependencies, request, writeContext.limit);
    if (refusalOf(request, plan) !== undefined || (shown !== undefined && !isPartOf(plan, shown))) return outcomes;
    outcomes.noteExisting(await existing(dependencies, outcomes.unfinished));
  }
}

export const otherPlan = (cause: string, done = 'No changes were made.') =>
  new ApiError('revisionMismatch', `${cause} ${done} Make a new plan.`);

/**
 * Only the plan that the caller saw may be performed. Before the first step, the present plan must be equal to it;
 * later, it must be a part of it.
 *
 * @throws ApiError `revisionMismatch`.
 */
function checkAsShown(plan: ReconcilePlan, shown: ReadonlySet<string>, isBegun: boolean): void {
  const { groups, blocked } = plan;
  const isWhole =
    blocked.every((step) => shown.has(fingerprintOf(step))) && groups.flat().length + blocked.length === shown.size;
  if (isPartOf(plan, shown) && (isBegun || isWhole)) return;
  const cause = 'The inventory has changed since this plan was made.';
  throw isBegun ? otherPlan(cause, 'No further changes were made.') : otherPlan(cause);
}

/** The longest time that a request can work: after it, its process has ended or begins nothing more. */
const REQUEST_MS = 30_000;

/**
 * Performs the remaining steps of a stored reconciliation, and stores the progress. A worker that a request has overtaken
 * performs none.
 *
 * @param present the plan at this moment, if it is known.
 * @throws ApiError `revisionMismatch`, `failedPrecondition`, `notFound` when it can never be resumed.
 */
export async function resume(
  work: Work,
  reconciliation: StoredReconciliation,
  present?: ReconcilePlan,
): Promise<{ plan: ReconcilePlan; outcomes: Outcomes; progress: Progress }> {
  const { dependencies } = work;
  const { table, clock } = dependencies;
  const { plan_id: planId } = reconciliation;
  const { request, fingerprints } = await getKeptRequest(table, planId, reconciliation.parts);
  if (reconciliation.state === 'cancelled')
    throw new ApiError('failedPrecondition', 'The plan was cancelled. Make a new plan.');
  const plan = present ?? (await planned(dependencies, request, work.writeContext.limit));
  const shown = fingerprints && new Set(fingerprints);
  if (shown !== undefined) checkAsShown(plan, shown, reconciliation.state !== 'planned');
  checkAllowed(request, plan);
  // A request may have begun during the plan, which takes long for a large scope. Both would perform each step twice.
  if ((await work.isOvertaken?.()) === true) return { plan, outcomes: new Outcomes(), progress: reconciliation };
  // Stored before the first step: if this request is interrupted, the remaining steps still equal the plan that the
  // caller saw, and are resumed.
  const busyUntil = clock().getTime() + REQUEST_MS;
  if (reconciliation.state === 'planned' || reconciliation.state === 'stopped')
    await noteProgress(table, planId, { ...reconciliation, state: 'applying', reason: '', busy_until: busyUntil });
  else if (work.isOvertaken === undefined) await noteBusy(table, planId, busyUntil);
  const outcomes = await apply(work, request, plan, shown);
  const progress = { ...outcomes.progress(reconciliation.total), ...work.watch?.ending() };
  await noteProgress(table, planId, progress);
  return { plan, outcomes, progress };
}
