import { defineEndpoint } from '../../../contract/endpoint.ts';

export const endpoint = defineEndpoint({
  id: 'removeSession',
  folder: 'sessions/remove',
  tag: 'Server',
  method: 'DELETE',
  path: '/v1/sessions',
  summary: 'Log out',
  description: 'Ends the session whose key authenticates the request.',
  role: 'Viewer',
  limit: 'unaffected',
  callers: ['session'],
  access: 'write',
  partitions: 'sessions',
  accessEvents: ['session.removed'],
  reply: { status: 204 },
  errors: [],
});
