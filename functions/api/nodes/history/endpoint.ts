import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { historyOf } from '../../../domain/records/change.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';

export const endpoint = defineEndpoint({
  id: 'listNodeHistory',
  folder: 'nodes/history',
  tag: 'Nodes',
  method: 'GET',
  path: '/v1/nodes/{node_id}/history',
  summary: 'History of a node',
  scoped: true,
  params: z.strictObject({ node_id: idOf('node') }),
  ...historyOf('node'),
});
