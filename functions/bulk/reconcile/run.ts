import { ApiError } from '../../../shared/core/errors.ts';
import { monotonicMs } from '../../../shared/core/monotonic-clock.ts';
import { LAST_BEGIN_MS } from '../../domain/bulk/limits.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import { findObjects } from '../../store/entities/get.ts';
import type { WriteContext } from '../../store/entities/write-context.ts';
import { idOf } from '../../store/entities/entity.ts';
import {
  getKeptRequest,
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

/**
 * Performs a plan, and plans again while outdated steps are left. With `isShown`, only the steps that the caller saw
 * are performed, without another plan.
 */
export async function apply(
  work: Work,
  request: ReconcileRequest,
  { first, isShown }: { first: ReconcilePlan; isShown: boolean },
): Promise<Outcomes> {
  const { dependencies, writeContext, part, start, watch } = work;
  const outcomes = new Outcomes();
  let plan = first;
  for (let round = 1; ; round += 1) {
    outcomes.plan(plan);
    const results = await applyGroups(dependencies, plan.groups, { writeContext, part, watch });
    outcomes.record(results);
    if (watch?.ending() !== undefined) return outcomes;
    // Without time for a step, as after a slow plan of a large scope, a job continues.
    if (monotonicMs(dependencies.table) - start <= LAST_BEGIN_MS) throwIfAllUnavailable([...results.values()]);
    const isLast = isShown || round === MAX_ROUNDS || monotonicMs(dependencies.table) - start > LAST_ROUND_MS;
    if (isLast || outcomes.left === 0) return outcomes;
    plan = await planned(dependencies, request, writeContext.limit);
    if (refusalOf(request, plan) !== undefined) return outcomes;
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
function checkAsShown({ groups, blocked }: ReconcilePlan, fingerprints: readonly string[], isBegun: boolean): void {
  const shown = new Set(fingerprints);
  const now = (isBegun ? groups.flat() : [...groups.flat(), ...blocked]).map(fingerprintOf);
  const isSame = now.every((one) => shown.has(one)) && (isBegun || now.length === shown.size);
  if (isSame) return;
  const cause = 'The inventory has changed since this plan was made.';
  throw isBegun ? otherPlan(cause, 'No further changes were made.') : otherPlan(cause);
}

/** The longest time that a request can work: after it, its process has ended or begins nothing more. */
const REQUEST_MS = 30_000;

/**
 * Performs the remaining steps of a stored reconciliation, and stores the progress.
 *
 * @param present the plan at this moment, if it is known.
 * @throws ApiError `revisionMismatch`, `failedPrecondition`, `notFound` when it can never be resumed.
 */
export async function resume(
  work: Work,
  known: StoredReconciliation,
  present?: ReconcilePlan,
): Promise<{ plan: ReconcilePlan; outcomes: Outcomes; progress: Progress }> {
  const { dependencies } = work;
  const { table, clock } = dependencies;
  const { plan_id: planId } = known;
  const { request, fingerprints } = await getKeptRequest(table, planId, known.parts);
  if (known.state === 'cancelled') throw new ApiError('failedPrecondition', 'The plan was cancelled. Make a new plan.');
  const plan = present ?? (await planned(dependencies, request, work.writeContext.limit));
  if (fingerprints !== undefined) checkAsShown(plan, fingerprints, known.state !== 'planned');
  checkAllowed(request, plan);
  // Stored before the first step: if this request is interrupted, the remaining steps still equal the plan that the
  // caller saw, and are resumed.
  const busyUntil = clock().getTime() + REQUEST_MS;
  if (known.state === 'planned' || known.state === 'stopped')
    await noteProgress(table, planId, { ...known, state: 'applying', reason: '', busy_until: busyUntil });
  const outcomes = await apply(work, request, { first: plan, isShown: fingerprints !== undefined });
  const progress = { ...outcomes.progress(known.total), ...work.watch?.ending() };
  await noteProgress(table, planId, progress);
  return { plan, outcomes, progress };
}
