import { lambda } from '../../../runtime/endpoint-function.ts';
import { getReconciliation } from '../../../store/jobs/reconciliations.ts';
import { planOwner } from '../../../bulk/reconcile/plan-owner.ts';
import { shownReconciliation } from '../../../replies/reconciliation.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async ({ params, caller }, { table, clock }) => {
  const asked = { planId: params.plan_id, callerId: planOwner(caller()), now: clock() };
  return { body: shownReconciliation(await getReconciliation(table, asked)) };
});
