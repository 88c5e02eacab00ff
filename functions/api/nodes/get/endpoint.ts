import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { nodeSchema } from '../../../domain/node/schema.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';
import { getContract } from '../../../domain/fields/object-contracts.ts';

export const endpoint = defineEndpoint({
  id: 'getNode',
  folder: 'nodes/get',
  tag: 'Nodes',
  path: '/v1/nodes/{node_id}',
  summary: 'Get a node',
  params: z.strictObject({ node_id: idOf('node') }),
  ...getContract(nodeSchema),
});
