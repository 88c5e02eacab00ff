import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { serviceChange, serviceSchema } from '../../../domain/service/schema.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';
import { refusedFields } from '../../../domain/fields/read-only-fields.ts';
import { changeContract } from '../../../domain/fields/object-contracts.ts';

export const endpoint = defineEndpoint({
  id: 'changeService',
  folder: 'services/change',
  tag: 'Services',
  path: '/v1/services/{service_id}',
  summary: 'Change a service',
  description:
    'JSON Merge Patch: an absent field keeps its value, null clears it. Labels merge by name, node_ids is replaced ' +
    'as a whole. Type, name and id cannot change.',
  params: z.strictObject({ service_id: idOf('service') }),
  refused: refusedFields.changeService,
  errors: ['notFound', 'failedPrecondition'],
  ...changeContract(serviceChange, serviceSchema),
});
