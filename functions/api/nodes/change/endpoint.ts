import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { nodeChange, nodeSchema } from '../../../domain/node/schema.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';
import { refusedFields } from '../../../domain/fields/read-only-fields.ts';
import { changeContract } from '../../../domain/fields/object-contracts.ts';

export const endpoint = defineEndpoint({
  id: 'changeNode',
  folder: 'nodes/change',
  tag: 'Nodes',
  path: '/v1/nodes/{node_id}',
  summary: 'Change a node',
  description:
    'JSON Merge Patch: an absent field keeps its value, null clears it. Labels merge by name. Type, name and id cannot change.',
  params: z.strictObject({ node_id: idOf('node') }),
  refused: refusedFields.changeNode,
  errors: ['notFound', 'alreadyExists'],
  ...changeContract(nodeChange, nodeSchema),
});
