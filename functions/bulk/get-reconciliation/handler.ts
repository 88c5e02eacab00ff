import * as z from 'zod/mini';
import { itemShape } from '../../catalogue/reconcile-reply.ts';
import { lambda } from '../../lambda.ts';
import { getReconciliation } from '../../table/reconciliations.ts';
import { planOwner } from '../plan-owner.ts';
import { endpoint } from './endpoint.ts';

const itemSchema = z.strictObject(itemShape);

export const { handler, handlerWith } = lambda(endpoint, async ({ params, caller }, { table, clock }) => {
  const { plan_id: planId } = params;
  const {
    state,
    reason = '',
    total,
    done,
    failed,
    failures,
    created_at,
    expires_at,
  } = await getReconciliation(table, {
    planId,
    callerId: planOwner(caller()),
    now: clock(),
  });
  return {
    body: {
      plan_id: planId,
      state,
      ...(reason === '' ? {} : { reason }),
      progress: { total, done, failed },
      created_at,
      expires_at,
      failures: failures.map(({ item, message }) => ({ item: z.parse(itemSchema, item), message })),
    },
  };
});
