import { InventoryError } from '../error.ts';
import { cancelReconciliation, getReconciliation, reconcile } from '../generated/operations.ts';
import type { Reconcile, ReconcilePlan } from '../generated/types.ts';
import type { Client } from '../operation.ts';
import type { CallOptions } from '../options.ts';

/** Compares a scope with a desired state. Changes nothing. */
export function planScope(
  client: Client,
  request: Omit<Reconcile, 'mode' | 'plan_id' | 'plan_digest'>,
  options?: CallOptions,
): Promise<ReconcilePlan> {
  return reconcile(client, { ...request, mode: 'plan' }, options);
}

type Counts = Pick<ReconcilePlan['progress'], 'done' | 'failed' | 'skipped'>;

const finishedOf = ({ done, failed, skipped }: Counts) => done + failed + skipped;

/** Number of finished items after a request without a result. @throws the error of the request if they are unknown. */
async function finishedDespite(error: unknown, client: Client, planId: string, options: CallOptions): Promise<number> {
  if (!(error instanceof InventoryError) || !error.retryable) throw error;
  const { progress } = await getReconciliation(client, { plan_id: planId }, options).catch(() => {
    throw error;
  });
  return finishedOf(progress);
}

/**
 * Applies a plan exactly as it was returned. Yields the progress after each request, and last the result: `done`,
 * `stopped`, or a `refusal`. An abort cancels the job; changes that were completed stay. A slow server may send no result
 * of a request in time: as long as the job advances, the next request follows.
 *
 * @throws InventoryError with 412 if the inventory has changed since the plan.
 */
export async function* applyPlan(
  client: Client,
  plan: Pick<ReconcilePlan, 'plan_id'> & Partial<ReconcilePlan>,
  options: CallOptions = {},
): AsyncGenerator<ReconcilePlan, void, void> {
  const { plan_id: planId } = plan;
  // Nothing is to be done.
  if (planId === undefined) return;
  let state = 'applying';
  let finished = 0;
  try {
    while (state === 'applying') {
      let plan: ReconcilePlan;
      try {
        plan = await reconcile(client, { mode: 'apply', plan_id: planId }, options);
      } catch (error) {
        const count = await finishedDespite(error, client, planId, options);
        if (count <= finished) throw error;
        finished = count;
        continue;
      }
      ({ state } = plan);
      finished = finishedOf(plan.progress);
      yield plan;
    }
  } catch (error) {
    if (options.signal?.aborted === true) await cancelReconciliation(client, { plan_id: planId });
    throw error;
  }
}
