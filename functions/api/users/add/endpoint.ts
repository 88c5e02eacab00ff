import { defineEndpoint } from '../../../contract/endpoint.ts';
import { invitedUserSchema, userAddition } from '../../../domain/access/user.ts';

export const endpoint = defineEndpoint({
  id: 'addUser',
  since: '0.2.0',
  folder: 'users/add',
  tag: 'Users',
  method: 'POST',
  path: '/v1/users',
  summary: 'Add a user',
  description:
    'The reply contains an invitation, with which the user sets a password (`POST /v1/logins`). It is shown only once.',
  role: 'Admin',
  limit: 'refused',
  access: 'write',
  partitions: 'sessions',
  accessEvents: ['user.added'],
  body: userAddition,
  reply: { status: 201, schema: invitedUserSchema },
  errors: ['alreadyExists'],
});
