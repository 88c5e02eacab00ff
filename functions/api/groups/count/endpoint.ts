import { defineEndpoint } from '../../../contract/endpoint.ts';
import { groupQuery, groupsSchema } from '../../../domain/groups/groups.ts';

export const endpoint = defineEndpoint({
  id: 'countGroups',
  folder: 'groups/count',
  tag: 'Summary',
  since: '0.2.0',
  method: 'GET',
  path: '/v1/groups',
  summary: 'Count objects by a property',
  description:
    'Counts the nodes, services or agents that match all filters by the values of one property, with the worst state ' +
    'of each group. A reply counts at most 20,000 objects.',
  role: 'Viewer',
  limit: 'unaffected',
  access: 'write',
  partitions: 'summary',
  query: groupQuery,
  reply: { status: 200, schema: groupsSchema },
  errors: ['failedPrecondition'],
});
