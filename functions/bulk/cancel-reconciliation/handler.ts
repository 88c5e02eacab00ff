import { lambda } from '../../lambda.ts';
import { originOf } from '../../table/origin.ts';
import { cancelReconciliation } from '../../table/reconciliations.ts';
import { planOwner } from '../plan-owner.ts';
import { shownReconciliation } from '../shown-reconciliation.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const { params } = request;
  const caller = request.caller();
  const callerId = caller.role === 'Admin' ? undefined : planOwner(caller);
  const asked = { planId: params.plan_id, callerId, now: services.clock() };
  const { actor } = originOf(request, services);
  return { body: shownReconciliation(await cancelReconciliation(services.table, asked, actor)) };
});
