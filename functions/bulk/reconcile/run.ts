import { ApiError } from '../../../shared/http/errors.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import { findObjects } from '../../store/entities/get.ts';
import type { WriteContext } from '../../store/entities/write-context.ts';
import { idOf } from '../../store/entities/entity.ts';
import { getKeptRequest, noteProgress, type Progress, type Reconciliation } from '../../store/jobs/reconciliations.ts';
import { type partsOf, throwIfAllUnavailable } from '../partial-failure.ts';
import { applyGroups } from './execute.ts';
import { Outcomes } from './outcomes.ts';
import { checkNotEmpty, planned, type ReconcileRequest, refusalOf } from './compute-plan.ts';
import { fingerprintOf, type ReconcilePlan } from './plan/planner.ts';
import type { Step } from './plan/step.ts';
import type { Watch } from './watch.ts';

/** Somebody at work on a reconciliation, in the time of one request. */
export interface Work {
  dependencies: Dependencies;
  writeContext: WriteContext;
  part: ReturnType<typeof partsOf>;
  /** Of a job, which may end before all is done. */
  watch?: Watch | undefined;
  /** When it began, as `performance.now` says. */
  start: number;
}

/** What is out of date is read and planned anew as long as another round is likely to fit. */
const MAX_ROUNDS = 4;
const LAST_ROUND_MS = 10_000;

/** @throws ApiError `failedPrecondition` when so much is not to be removed. */
export function checkAllowed(request: ReconcileRequest, plan: ReconcilePlan): void {
  checkNotEmpty(request, plan);
  const refusal = refusalOf(request, plan);
  if (refusal !== undefined) throw new ApiError('failedPrecondition', refusal);
}

/** Ids of the objects that exist, of these. One round of strongly consistent batch reads. */
async function existing({ table }: Dependencies, steps: readonly Step[]): Promise<Set<string>> {
  return new Set(steps.length === 0 ? [] : (await findObjects(table, steps)).map(idOf));
}

/** Does what the plan says, and plans again while there is something out of date, unless only this very plan is wanted. */
export async function apply(
  work: Work,
  request: ReconcileRequest,
  { first, isShown }: { first: ReconcilePlan; isShown: boolean },
): Promise<Outcomes> {
  const { dependencies, writeContext, part, start, watch } = work;
  const ledger = new Outcomes();
  let plan = first;
  for (let round = 1; ; round += 1) {
    ledger.plan(plan);
    const outcomes = await applyGroups(dependencies, plan.groups, { writeContext, part, watch });
    ledger.settle(outcomes);
    if (watch?.ending() !== undefined) return ledger;
    throwIfAllUnavailable([...outcomes.values()]);
    const isLast = isShown || round === MAX_ROUNDS || performance.now() - start > LAST_ROUND_MS;
    if (isLast || ledger.left === 0) return ledger;
    plan = await planned(dependencies, request);
    if (refusalOf(request, plan) !== undefined) return ledger;
    ledger.noteExisting(await existing(dependencies, ledger.unfinishedRemovals));
  }
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
  const what = isBegun ? 'No further changes were made.' : 'No changes were made.';
  throw new ApiError(
    'revisionMismatch',
    `The inventory has changed since this plan was made. ${what} Make a new plan.`,
  );
}

/** What a request has at most: after that it is dead, or does nothing more. */
const REQUEST_MS = 30_000;

/**
 * Does what is left to do of what was kept, and notes how far it is.
 *
 * @throws ApiError `revisionMismatch`, `failedPrecondition`, `notFound` when it can never go on.
 */
export async function resume(
  work: Work,
  known: Reconciliation & { parts: number },
): Promise<{ plan: ReconcilePlan; ledger: Outcomes; progress: Progress }> {
  const { dependencies } = work;
  const { table, clock } = dependencies;
  const { plan_id: planId } = known;
  const { request, fingerprints } = await getKeptRequest(table, planId, known.parts);
  if (known.state === 'cancelled') throw new ApiError('failedPrecondition', 'The plan was cancelled. Make a new plan.');
  const plan = await planned(dependencies, request);
  if (fingerprints !== undefined) checkAsShown(plan, fingerprints, known.state !== 'planned');
  checkAllowed(request, plan);
  // Noted before anything is done: what this leaves half done, if it is cut off, is still as it was shown, and is taken up.
  const busyUntil = clock().getTime() + REQUEST_MS;
  if (known.state === 'planned' || known.state === 'stopped')
    await noteProgress(table, planId, { ...known, state: 'applying', reason: '', busy_until: busyUntil });
  const ledger = await apply(work, request, { first: plan, isShown: fingerprints !== undefined });
  const progress = { ...ledger.progress(known.total), ...work.watch?.ending() };
  await noteProgress(table, planId, progress);
  return { plan, ledger, progress };
}
