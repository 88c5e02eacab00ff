import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { serviceTypeSchema } from '../../../domain/service/schema.ts';

export const endpoint = defineEndpoint({
  id: 'listServiceTypes',
  folder: 'services/list-types',
  tag: 'Services',
  method: 'GET',
  path: '/v1/services/types',
  summary: 'List service types in use',
  role: 'Viewer',
  limit: 'unaffected',
  access: 'read',
  reply: {
    status: 200,
    schema: z.strictObject({
      service_types: z.array(serviceTypeSchema).check(z.meta({ description: 'Types of existing services.' })),
    }),
  },
  errors: [],
});
