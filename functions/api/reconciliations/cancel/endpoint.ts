import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
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
    'Ends a plan that `POST /v1/reconcile` made, or its job: after a few seconds nothing more of it is begun. What is done ' +
    'stays done. A plan that is done or cancelled already stays as it is. The caller that made it can cancel it, and an Admin.',
  role: 'Editor',
  access: 'write',
  params: z.strictObject({ plan_id: idOf('plan') }),
  query: z.strictObject({}),
  reply: { status: 200, schema: reconciliationSchema },
  errors: ['notFound'],
});
