import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
import { nodeAddition, nodeSchema } from '../../../domain/node/schema.ts';
import { refusedFields } from '../../../domain/fields/read-only-fields.ts';

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
  etag: 'revision',
  idempotent: true,
  errors: ['alreadyExists'],
});
