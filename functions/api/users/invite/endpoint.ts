import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { invitationOptions, invitedUserSchema, userIdInPath } from '../../../domain/access/user.ts';

export const endpoint = defineEndpoint({
  id: 'inviteUser',
  since: '0.2.0',
  folder: 'users/invite',
  tag: 'Users',
  method: 'POST',
  path: '/v1/users/{user_id}/invite',
  summary: 'Invite a user again',
  description:
    'For a lost invitation or password. The previous invitation, the password and all sessions of the user end. The ' +
    'reply contains the invitation. It is shown only once.',
  role: 'Admin',
  limit: 'refused',
  access: 'write',
  partitions: 'sessions',
  accessEvents: ['user.invited'],
  params: z.strictObject({ user_id: userIdInPath }),
  body: invitationOptions,
  reply: { status: 200, schema: invitedUserSchema },
  errors: ['notFound'],
});
