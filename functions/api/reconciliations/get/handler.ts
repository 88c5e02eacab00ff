import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { getReconciliation } from '../../../store/jobs/reconciliations.ts';
import { planOwner } from '../../../bulk/reconcile/plan-owner.ts';
import { toReconciliationReply } from '../../../replies/reconciliation.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(
  endpoint,
  async ({ params, caller }, { table, clock }) => {
    const asked = { planId: params.plan_id, callerId: planOwner(caller()), now: clock() };
    return { body: toReconciliationReply(await getReconciliation(table, asked)) };
  },
);
