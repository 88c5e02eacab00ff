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

async function endingOf(
  { table, clock }: Dependencies,
  { plan_id: planId, ...job }: Reconciliation,
): Promise<Ending | undefined> {
  const now = clock();
  const { state } = await getReconciliation(table, { planId, callerId: undefined, now });
  if (state === 'cancelled') return { state, reason: 'The reconciliation was cancelled.' };
  if (await isStillValid(table, job.actor, { since: job.created_at, now })) return undefined;
  const reason = 'The key, session or password that started it was removed, expired or changed.';
  return { state: 'stopped', reason };
}

export function watchJob(dependencies: Dependencies, job: Reconciliation): Watch {
  let ending: Ending | undefined;
  let nextMs = 0;
  return {
    ending: () => ending,
    look: async () => {
      if (ending !== undefined || monotonicMs(dependencies.table) < nextMs) return;
      nextMs = monotonicMs(dependencies.table) + LOOK_MS;
      ending = await endingOf(dependencies, job);
    },
  };
}
