import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { nameOf } from '../../../domain/fields/common-fields.ts';
import { refusedFields } from '../../../domain/fields/read-only-fields.ts';
import { serviceDeclaration, upsertedServiceSchema } from '../../../domain/service/schema.ts';
import { upsertContract } from '../../../domain/fields/object-contracts.ts';

export const endpoint = defineEndpoint({
  id: 'upsertService',
  folder: 'services/upsert',
  tag: 'Services',
  path: '/v1/services/by-name/{service_name}',
  summary: 'Upsert a service',
  description:
    'Adds the service if no service has this name, changes it if it differs, and otherwise does nothing; `outcome` ' +
    'says which. The body is the whole service: an absent field is cleared or set to its default. The id and ' +
    'dependent agents do not change. The type cannot change; the order of `node_ids` is not significant. ' +
    '`If-None-Match: *` only adds.',
  params: z.strictObject({ service_name: nameOf('service') }),
  refused: refusedFields.upsertService,
  errors: ['alreadyExists', 'notFound', 'failedPrecondition'],
  ...upsertContract(serviceDeclaration, upsertedServiceSchema),
});
