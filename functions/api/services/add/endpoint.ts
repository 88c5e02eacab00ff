import { defineEndpoint } from '../../../contract/endpoint.ts';
import { refusedFields } from '../../../domain/fields/read-only-fields.ts';
import { serviceAddition, serviceSchema } from '../../../domain/service/schema.ts';
import { addContract } from '../../../domain/fields/object-contracts.ts';

export const endpoint = defineEndpoint({
  id: 'addService',
  folder: 'services/add',
  tag: 'Services',
  path: '/v1/services',
  summary: 'Add a service',
  scoped: true,
  refused: refusedFields.addService,
  errors: ['alreadyExists', 'notFound', 'failedPrecondition'],
  ...addContract(serviceAddition, serviceSchema),
});
