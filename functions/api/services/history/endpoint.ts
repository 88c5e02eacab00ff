import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { historyOf } from '../../../domain/records/change.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';

export const endpoint = defineEndpoint({
  id: 'listServiceHistory',
  folder: 'services/history',
  tag: 'Services',
  method: 'GET',
  path: '/v1/services/{service_id}/history',
  summary: 'History of a service',
  scoped: true,
  params: z.strictObject({ service_id: idOf('service') }),
  ...historyOf('service'),
});
