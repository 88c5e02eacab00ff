import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
import { nameOf } from '../../../domain/fields/common-fields.ts';
import { refusedFields } from '../../../domain/fields/read-only-fields.ts';
import { serviceDeclaration, upsertedServiceSchema } from '../../../domain/service/schema.ts';

export const endpoint = defineEndpoint({
  id: 'upsertService',
  folder: 'services/upsert',
  tag: 'Services',
  method: 'PUT',
  path: '/v1/services/by-name/{service_name}',
  summary: 'Declare a service',
  description:
    'Adds the service if there is none with this name, changes it if it differs, and else leaves it as it is: `outcome` says ' +
    'which. The body is the whole service: what it leaves out is cleared or set back to its default. The id stays, and so do ' +
    'the agents that give insight into it. The type never changes; the order of `node_ids` means nothing. ' +
    '`If-None-Match: *` only adds.',
  role: 'Editor',
  access: 'write',
  scoped: true,
  params: z.strictObject({ service_name: nameOf('service') }),
  query: z.strictObject({}),
  body: serviceDeclaration,
  refused: refusedFields.upsertService,
  reply: { status: [200, 201], schema: upsertedServiceSchema },
  versioned: true,
  errors: ['alreadyExists', 'notFound', 'failedPrecondition'],
});
