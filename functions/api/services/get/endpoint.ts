import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
import { serviceSchema } from '../../../domain/service/schema.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';

export const endpoint = defineEndpoint({
  id: 'getService',
  folder: 'services/get',
  tag: 'Services',
  method: 'GET',
  path: '/v1/services/{service_id}',
  summary: 'Get a service',
  role: 'Viewer',
  scoped: true,
  access: 'read',
  params: z.strictObject({ service_id: idOf('service') }),
  query: z.strictObject({}),
  reply: { status: 200, schema: serviceSchema },
  etag: 'revision',
  errors: ['notFound'],
});
