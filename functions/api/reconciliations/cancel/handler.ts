import { lambda } from '../../../runtime/endpoint-function.ts';
import { originOf } from '../../../store/entities/change-origin.ts';
import { cancelReconciliation } from '../../../store/jobs/reconciliations.ts';
import { planOwner } from '../../../bulk/reconcile/plan-owner.ts';
import { shownReconciliation } from '../../../replies/reconciliation.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const { params } = request;
  const caller = request.caller();
  const callerId = caller.role === 'Admin' ? undefined : planOwner(caller);
  const asked = { planId: params.plan_id, callerId, now: services.clock() };
  const { actor } = originOf(request, services);
  return { body: shownReconciliation(await cancelReconciliation(services.table, asked, actor)) };
});
