import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';
import { reconciliationSchema } from '../../../domain/bulk/reconciliation.ts';

export const endpoint = defineEndpoint({
  id: 'cancelReconciliation',
  folder: 'reconciliations/cancel',
  tag: 'Bulk',
  method: 'POST',
  path: '/v1/reconcile/{plan_id}/cancel',
  summary: 'Cancel a reconciliation',
  description:
    'Ends a plan of `POST /v1/reconcile` or its job. After a few seconds no more changes start. Completed changes ' +
    'stay. A plan that is done or cancelled does not change. Requires the caller that made the plan, or an Admin.',
  role: 'Editor',
  limit: 'checked',
  access: 'write',
  repeatable: true,
  params: z.strictObject({ plan_id: idOf('plan') }),
  reply: { status: 200, schema: reconciliationSchema },
  errors: ['notFound'],
});
