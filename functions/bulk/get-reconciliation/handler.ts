import { lambda } from '../../lambda.ts';
import { getReconciliation } from '../../table/reconciliations.ts';
import { planOwner } from '../plan-owner.ts';
import { shownReconciliation } from '../shown-reconciliation.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async ({ params, caller }, { table, clock }) => {
  const asked = { planId: params.plan_id, callerId: planOwner(caller()), now: clock() };
  return { body: shownReconciliation(await getReconciliation(table, asked)) };
});
