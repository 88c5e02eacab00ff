import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';
import { nodeStatesSchema } from '../../../domain/records/state-history.ts';

export const endpoint = defineEndpoint({
  id: 'getNodeStates',
  folder: 'nodes/states',
  tag: 'Nodes',
  since: '0.2.0',
  method: 'GET',
  path: '/v1/nodes/{node_id}/states',
  summary: 'States of a node in the last day',
  description: 'Computed from the reports of the present agent processes of the node.',
  role: 'Viewer',
  limit: 'unaffected',
  access: 'read',
  params: z.strictObject({ node_id: idOf('node') }),
  reply: { status: 200, schema: nodeStatesSchema },
  errors: ['notFound'],
});
