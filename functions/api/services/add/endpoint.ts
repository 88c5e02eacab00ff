import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
import { refusedFields } from '../../../domain/fields/read-only-fields.ts';
import { serviceAddition, serviceSchema } from '../../../domain/service/schema.ts';

export const endpoint = defineEndpoint({
  id: 'addService',
  folder: 'services/add',
  tag: 'Services',
  method: 'POST',
  path: '/v1/services',
  summary: 'Add a service',
  role: 'Editor',
  scoped: true,
  access: 'write',
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: serviceAddition,
  refused: refusedFields.addService,
  reply: { status: 201, schema: serviceSchema },
  etag: 'revision',
  idempotent: true,
  errors: ['alreadyExists', 'notFound', 'failedPrecondition'],
});
