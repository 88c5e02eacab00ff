import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { userIdInPath } from '../../../domain/access/user.ts';

export const endpoint = defineEndpoint({
  id: 'removeUser',
  since: '0.2.0',
  folder: 'users/remove',
  tag: 'Users',
  method: 'DELETE',
  path: '/v1/users/{user_id}',
  summary: 'Remove a user',
  description:
    'All sessions of the user end, and the private saved filters of the user are removed. API keys and shared filters ' +
    'that the user added stay.',
  role: 'Admin',
  limit: 'refused',
  access: 'write',
  partitions: 'sessions',
  accessEvents: ['user.removed'],
  params: z.strictObject({ user_id: userIdInPath }),
  reply: { status: 204 },
  errors: ['notFound'],
});
