import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { userChange, userIdInPath, userSchema } from '../../../domain/access/user.ts';

export const endpoint = defineEndpoint({
  id: 'changeUser',
  since: '0.2.0',
  folder: 'users/change',
  tag: 'Users',
  method: 'PATCH',
  path: '/v1/users/{user_id}',
  summary: 'Change a user',
  description: 'A change ends all sessions of the user. An absent field changes nothing.',
  role: 'Admin',
  limit: 'refused',
  access: 'write',
  partitions: 'sessions',
  accessEvents: ['user.changed'],
  params: z.strictObject({ user_id: userIdInPath }),
  body: userChange,
  reply: { status: 200, schema: userSchema },
  errors: ['notFound', 'failedPrecondition'],
});
