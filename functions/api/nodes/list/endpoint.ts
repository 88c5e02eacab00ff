import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { nextPageShape, pageOf, totalShape } from '../../../domain/fields/list-page.ts';
import { namePrefix, pageShape, selectionShape } from '../../../domain/fields/list-query.ts';
import { nodeSchema, nodeTypeSchema } from '../../../domain/node/schema.ts';
import { MAX_SHORT_TEXT, storedName } from '../../../domain/fields/common-fields.ts';
import { MAX_MEMBERS } from '../../../domain/service/cluster.ts';
import { valueFilter } from '../../../domain/fields/related-labels.ts';

export const endpoint = defineEndpoint({
  id: 'listNodes',
  folder: 'nodes/list',
  tag: 'Nodes',
  method: 'GET',
  path: '/v1/nodes',
  summary: 'List nodes',
  description: 'Sorted by name. A node must match all filters.',
  role: 'Viewer',
  limit: 'unaffected',
  gateway: true,
  access: 'read',
  query: z.strictObject({
    ...pageShape,
    node_type: z.optional(nodeTypeSchema.check(z.meta({ description: 'Only nodes of this type.' }))),
    name_prefix: namePrefix,
    region: valueFilter('Only nodes in this region.'),
    az: valueFilter('Only nodes in this zone.'),
    cluster: z.optional(
      storedName.check(
        z.meta({
          description: `Only nodes on which services of this cluster run, of at most ${MAX_MEMBERS} services.`,
        }),
      ),
    ),
    agent_version: valueFilter('Only nodes on which an agent reports this version.', MAX_SHORT_TEXT),
    ...selectionShape('node', nodeSchema),
    address: z.optional(storedName.check(z.meta({ description: 'Only nodes with this address.' }))),
  }),
  reply: { status: 200, schema: z.strictObject({ nodes: pageOf(nodeSchema), ...nextPageShape, ...totalShape }) },
  errors: ['failedPrecondition'],
});
