import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';
import { removalContract } from '../../../domain/fields/object-contracts.ts';

export const endpoint = defineEndpoint({
  id: 'removeNode',
  folder: 'nodes/remove',
  tag: 'Nodes',
  path: '/v1/nodes/{node_id}',
  summary: 'Remove a node',
  description:
    'Removes the object from the inventory only; nothing is stopped. Refused while other objects depend on it. With ' +
    'force, also removes the agents that run on it and the services that run only on it. Services that run on other ' +
    'nodes too lose this node; agents elsewhere lose it as a target.',
  params: z.strictObject({ node_id: idOf('node') }),
  ...removalContract(),
});
