import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { cancelReconciliation } from '../../../store/jobs/reconciliations.ts';
import { planOwner } from '../../../bulk/reconcile/plan-owner.ts';
import { toReconciliationReply } from '../../../replies/reconciliation.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { params } = request;
  const caller = request.caller();
  const callerId = caller.role === 'Admin' ? undefined : planOwner(caller);
  const asked = { planId: params.plan_id, callerId, now: dependencies.clock() };
  const { actor } = writeContextOf(request, dependencies);
  return { body: toReconciliationReply(await cancelReconciliation(dependencies.table, asked, actor)) };
});
