import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
import { queryFlag } from '../../../domain/fields/list-query.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';

export const endpoint = defineEndpoint({
  id: 'removeService',
  folder: 'services/remove',
  tag: 'Services',
  method: 'DELETE',
  path: '/v1/services/{service_id}',
  summary: 'Remove a service',
  description:
    'From the list only: nothing in the world is stopped. Refused while anything depends on it. ' +
    'With force the agents that give insight into nothing else go too; other agents lose it as a target.',
  role: 'Editor',
  scoped: true,
  access: 'write',
  params: z.strictObject({ service_id: idOf('service') }),
  query: z.strictObject({ force: queryFlag('Remove what depends on it as well.') }),
  reply: { status: 204 },
  versioned: true,
  errors: ['notFound', 'failedPrecondition'],
});
