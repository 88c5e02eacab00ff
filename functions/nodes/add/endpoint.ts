import * as z from 'zod/mini';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { nodeAddition, nodeSchema } from '../../catalogue/node.ts';
import { refusedFields } from '../../catalogue/refused-fields.ts';

export const endpoint = defineEndpoint({
  id: 'addNode',
  folder: 'nodes/add',
  tag: 'Nodes',
  method: 'POST',
  path: '/v1/nodes',
  summary: 'Add a node',
  role: 'Editor',
  access: 'write',
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: nodeAddition,
  refused: refusedFields.addNode,
  reply: { status: 201, schema: nodeSchema },
  versioned: true,
  idempotent: true,
  errors: ['alreadyExists'],
});
