import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';
import { reconciliationSchema } from '../../../domain/bulk/reconciliation.ts';

export const endpoint = defineEndpoint({
  id: 'getReconciliation',
  folder: 'reconciliations/get',
  tag: 'Bulk',
  method: 'GET',
  path: '/v1/reconcile/{plan_id}',
  summary: 'Get the progress of a reconciliation',
  description:
    'The progress of a plan of `POST /v1/reconcile`. The service applies it in the background and counts completed ' +
    'changes about every 20 seconds. Visible only to the caller that made it.',
  role: 'Viewer',
  limit: 'unaffected',
  access: 'read',
  params: z.strictObject({ plan_id: idOf('plan') }),
  reply: {
    status: 200,
    schema: reconciliationSchema,
  },
  errors: ['notFound'],
});
