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
    'Removes the object from the inventory only; nothing is stopped. Refused while other objects depend on it. With ' +
    'force, also removes the agents that give insight only into it; other agents lose it as a target.',
  role: 'Editor',
  scoped: true,
  access: 'write',
  params: z.strictObject({ service_id: idOf('service') }),
  query: z.strictObject({ force: queryFlag('Also remove the dependent objects.') }),
  reply: { status: 204 },
  etag: 'revision',
  errors: ['notFound', 'failedPrecondition'],
});
