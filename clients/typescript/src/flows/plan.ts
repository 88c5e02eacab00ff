import { cancelReconciliation, reconcile } from '../generated/operations.ts';
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

/**
 * Applies a plan exactly as it was returned. Yields the progress after each request, and last the result: `done`,
 * `stopped`, or a `refusal`. An abort cancels the job; changes that were completed stay.
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
  try {
    while (state === 'applying') {
      const progress = await reconcile(client, { mode: 'apply', plan_id: planId }, options);
      ({ state } = progress);
      yield progress;
    }
  } catch (error) {
    if (options.signal?.aborted === true) await cancelReconciliation(client, { plan_id: planId });
    throw error;
  }
}
