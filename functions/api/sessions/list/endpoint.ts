import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { nextPageShape, pageOf } from '../../../domain/fields/list-page.ts';
import { pageShape } from '../../../domain/fields/list-query.ts';
import { userIdInPath } from '../../../domain/access/user.ts';
import { sessionSchema } from '../../../domain/access/session.ts';

export const endpoint = defineEndpoint({
  id: 'listSessions',
  folder: 'sessions/list',
  tag: 'Server',
  method: 'GET',
  path: '/v1/sessions',
  summary: 'List active sessions',
  description:
    'An Admin sees the sessions of all users, other users see their own, other API keys see none. Sorted by user. ' +
    'Expired sessions and sessions older than the password of their user are not listed.',
  role: 'Viewer',
  limit: 'unaffected',
  access: 'read',
  partitions: 'sessions',
  query: z.strictObject({
    ...pageShape,
    user_id: z.optional(
      userIdInPath.check(z.meta({ description: 'Only sessions of this user; `admin` for that account.' })),
    ),
  }),
  reply: { status: 200, schema: z.strictObject({ sessions: pageOf(sessionSchema), ...nextPageShape }) },
  errors: [],
});
