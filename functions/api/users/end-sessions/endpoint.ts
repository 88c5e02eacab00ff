import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { userIdInPath } from '../../../domain/access/user.ts';

export const endpoint = defineEndpoint({
  id: 'endUserSessions',
  since: '0.2.0',
  folder: 'users/end-sessions',
  tag: 'Users',
  method: 'DELETE',
  path: '/v1/users/{user_id}/sessions',
  summary: 'End all sessions of a user',
  description: 'The user can log in again.',
  role: 'Admin',
  limit: 'refused',
  access: 'write',
  partitions: 'sessions',
  accessEvents: ['user.sessions_ended'],
  params: z.strictObject({ user_id: userIdInPath }),
  reply: { status: 204 },
  errors: ['notFound'],
});
