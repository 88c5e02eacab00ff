import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';
import { reconciliationSchema } from '../../../domain/bulk/reconciliation.ts';

export const endpoint = defineEndpoint({
  id: 'getReconciliation',
  folder: 'reconciliations/get',
  tag: 'Bulk',
  method: 'GET',
  path: '/v1/reconcile/{plan_id}',
  summary: 'See how far a reconciliation is',
  description:
    'How far a plan is that `POST /v1/reconcile` made. While it is being applied it goes on by itself, and what is done is ' +
    'counted every 20 seconds or so. Only who made it sees it.',
  role: 'Editor',
  access: 'read',
  params: z.strictObject({ plan_id: idOf('plan') }),
  query: z.strictObject({}),
  reply: {
    status: 200,
    schema: reconciliationSchema,
  },
  errors: ['notFound'],
});
