import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { nameOf } from '../../../domain/fields/common-fields.ts';
import { clusterStatesSchema } from '../../../domain/records/state-history.ts';
import { MAX_MEMBERS } from '../../../domain/service/cluster.ts';

export const endpoint = defineEndpoint({
  id: 'getClusterStates',
  folder: 'clusters/states',
  tag: 'Services',
  since: '0.2.0',
  method: 'GET',
  path: '/v1/clusters/{cluster}/states',
  summary: 'States of a cluster in the last day',
  description:
    `At each time the worst state of its services, of at most ${MAX_MEMBERS}; of a service, the best state of its ` +
    'nodes. Nodes do not count before their first report.',
  role: 'Viewer',
  limit: 'unaffected',
  access: 'read',
  params: z.strictObject({ cluster: nameOf('cluster') }),
  reply: { status: 200, schema: clusterStatesSchema },
  errors: ['notFound', 'failedPrecondition'],
});
