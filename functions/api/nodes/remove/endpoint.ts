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
    'From the list only: nothing in the world is stopped. Refused while anything depends on it. ' +
    'With force the agents that run on it go too, and the services that run on nothing else; services that run elsewhere as well lose this node, and agents elsewhere lose it as a target.',
  role: 'Editor',
  scoped: true,
  access: 'write',
  params: z.strictObject({ node_id: idOf('node') }),
  query: z.strictObject({ force: queryFlag('Remove what depends on it as well.') }),
  reply: { status: 204 },
  versioned: true,
  errors: ['notFound', 'failedPrecondition'],
});
