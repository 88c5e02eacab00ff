import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { nodeDeclaration, upsertedNodeSchema } from '../../../domain/node/schema.ts';
import { nameOf } from '../../../domain/fields/common-fields.ts';
import { refusedFields } from '../../../domain/fields/read-only-fields.ts';
import { upsertContract } from '../../../domain/fields/object-contracts.ts';

export const endpoint = defineEndpoint({
  id: 'upsertNode',
  folder: 'nodes/upsert',
  tag: 'Nodes',
  path: '/v1/nodes/by-name/{node_name}',
  summary: 'Upsert a node',
  description:
    'Adds the node if no node has this name, changes it if it differs, and otherwise does nothing; `outcome` says ' +
    'which. The body is the whole node: an absent field is cleared or set to its default. The id and dependent ' +
    'objects do not change. The type cannot change. `If-None-Match: *` only adds.',
  params: z.strictObject({ node_name: nameOf('node') }),
  refused: refusedFields.upsertNode,
  errors: ['alreadyExists'],
  ...upsertContract(nodeDeclaration, upsertedNodeSchema),
});
