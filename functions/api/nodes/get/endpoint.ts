import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
import { nodeSchema } from '../../../domain/node/schema.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';

export const endpoint = defineEndpoint({
  id: 'getNode',
  folder: 'nodes/get',
  tag: 'Nodes',
  method: 'GET',
  path: '/v1/nodes/{node_id}',
  summary: 'Get a node',
  role: 'Viewer',
  scoped: true,
  access: 'read',
  params: z.strictObject({ node_id: idOf('node') }),
  query: z.strictObject({}),
  reply: { status: 200, schema: nodeSchema },
  etag: 'revision',
  errors: ['notFound'],
});
