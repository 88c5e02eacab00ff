import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { storedName } from '../../../domain/fields/common-fields.ts';
import { nextPageShape } from '../../../domain/fields/list-page.ts';
import { pageShape } from '../../../domain/fields/list-query.ts';
import { clusterSchema } from '../../../domain/service/cluster.ts';

export const endpoint = defineEndpoint({
  id: 'listClusters',
  folder: 'clusters/list',
  tag: 'Services',
  method: 'GET',
  path: '/v1/clusters',
  summary: 'List clusters',
  description:
    'Returns each name that services have in their field `cluster`, sorted by name, with counts of the services and nodes.',
  role: 'Viewer',
  limit: 'unaffected',
  access: 'read',
  query: z.strictObject({
    ...pageShape,
    name_prefix: z.optional(storedName.check(z.meta({ description: 'Only clusters whose name has this prefix.' }))),
    include: z.optional(
      z
        .enum(['region'])
        .check(z.meta({ description: '`region`: show `regions` and `azs`, for which the nodes are read.' })),
    ),
  }),
  reply: {
    status: 200,
    schema: z.strictObject({
      clusters: z.array(clusterSchema).check(z.meta({ description: 'The clusters of this page.' })),
      ...nextPageShape,
    }),
  },
  errors: [],
});
