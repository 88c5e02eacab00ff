import type { Dependencies } from '../../runtime/dependencies.ts';
import { monotonicMs } from '../../../shared/core/monotonic-clock.ts';
import { getReconciliation, type Reconciliation } from '../../store/jobs/reconciliations.ts';
import { isStillValid } from '../../store/jobs/credential-check.ts';

/** Why a job ends before all steps are done. */
export interface Ending {
  state: 'cancelled' | 'stopped';
  reason: string;
}

/** Checks at intervals whether a job may continue. */
export interface Watch {
  look: () => Promise<void>;
  /** Undefined while it may continue. */
  ending: () => Ending | undefined;
}

/** Interval of the checks, in milliseconds: no step begins later than this after a cancellation. */
const LOOK_MS = 2000;

async function cancellationOf(
  { table, clock }: Dependencies,
  { plan_id: planId }: Reconciliation,
): Promise<Ending | undefined> {
  const { state } = await getReconciliation(table, { planId, callerId: undefined, now: clock() });
  return state === 'cancelled' ? { state, reason: 'The reconciliation was cancelled.' } : undefined;
}

async function endingOf(dependencies: Dependencies, job: Reconciliation): Promise<Ending | undefined> {
  const cancellation = await cancellationOf(dependencies, job);
  const { created_at: since, provider, rests_on: restsOn } = job;
  const credential = { since, now: dependencies.clock(), provider, restsOn };
  if (cancellation !== undefined || (await isStillValid(dependencies.table, job.actor, credential)))
    return cancellation;
  const reason = 'The key, session or password that started it was removed, expired or changed.';
  return { state: 'stopped', reason };
}

/** @param firstMs the time of the first check, by the monotonic clock of the table. */
function watchFor({ table }: Dependencies, firstMs: number, find: () => Promise<Ending | undefined>): Watch {
  let ending: Ending | undefined;
  let nextMs = firstMs;
  return {
    ending: () => ending,
    look: async () => {
      if (ending !== undefined || monotonicMs(table) < nextMs) return;
      nextMs = monotonicMs(table) + LOOK_MS;
      ending = await find();
    },
  };
}

/** Ends a job that was cancelled, or whose credential is no longer valid. */
export const watchJob = (dependencies: Dependencies, job: Reconciliation): Watch =>
  watchFor(dependencies, 0, () => endingOf(dependencies, job));

/** Ends the work of a request on a plan that was cancelled during the request. A fast request makes no check. */
export const watchRequest = (dependencies: Dependencies, plan: Reconciliation): Watch =>
  watchFor(dependencies, monotonicMs(dependencies.table) + LOOK_MS, () => cancellationOf(dependencies, plan));
