import { defineEndpoint } from '../../../contract/endpoint.ts';
import { asOfParams, asOfQuery, asOfSchema } from '../../../domain/records/as-of.ts';

export const endpoint = defineEndpoint({
  id: 'getObjectAsOf',
  since: '0.2.0',
  folder: 'changes/as-of',
  tag: 'Changes',
  method: 'GET',
  path: '/v1/as-of/{kind}/{object_id}',
  summary: 'Get an object as of a time',
  description:
    'A node, service or agent as it was at a time, and how long it was so: computed from the present object, or from ' +
    'its removal, and its changes since then.',
  role: 'Viewer',
  limit: 'unaffected',
  access: 'read',
  params: asOfParams,
  query: asOfQuery,
  reply: { status: 200, schema: asOfSchema },
  errors: ['notFound'],
});
