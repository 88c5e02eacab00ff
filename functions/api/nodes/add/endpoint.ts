import { defineEndpoint } from '../../../contract/endpoint.ts';
import { nodeAddition, nodeSchema } from '../../../domain/node/schema.ts';
import { refusedFields } from '../../../domain/fields/read-only-fields.ts';
import { addContract } from '../../../domain/fields/object-contracts.ts';

export const endpoint = defineEndpoint({
  id: 'addNode',
  folder: 'nodes/add',
  tag: 'Nodes',
  path: '/v1/nodes',
  summary: 'Add a node',
  refused: refusedFields.addNode,
  errors: ['alreadyExists'],
  ...addContract(nodeAddition, nodeSchema),
});
