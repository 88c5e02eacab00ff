import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
import { queryFlag } from '../../../domain/fields/list-query.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';

export const endpoint = defineEndpoint({
  id: 'removeNode',
  folder: 'nodes/remove',
  tag: 'Nodes',
  method: 'DELETE',
  path: '/v1/nodes/{node_id}',
  summary: 'Remove a node',
  description:
    'Removes the object from the inventory only; nothing is stopped. Refused while other objects depend on it. With ' +
    'force, also removes the agents that run on it and the services that run only on it. Services that run on other ' +
    'nodes too lose this node; agents elsewhere lose it as a target.',
  role: 'Editor',
  scoped: true,
  access: 'write',
  params: z.strictObject({ node_id: idOf('node') }),
  query: z.strictObject({ force: queryFlag('Also remove the dependent objects.') }),
  reply: { status: 204 },
  etag: 'revision',
  errors: ['notFound', 'failedPrecondition'],
});
