import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
import { nextPageShape, pageOf, pageShape } from '../../../domain/fields/list-query.ts';
import { sessionSchema } from '../../../domain/access/session.ts';

export const endpoint = defineEndpoint({
  id: 'listSessions',
  folder: 'sessions/list',
  tag: 'Server',
  method: 'GET',
  path: '/v1/sessions',
  summary: 'List open sessions',
  description:
    'An Admin sees the sessions of all users; everybody else sees their own, and an API key that is no Admin has none. ' +
    'Sorted by user. Sessions that have expired, and those that are older than the password of their user, are not open.',
  role: 'Viewer',
  access: 'read',
  partitions: 'sessions',
  params: z.strictObject({}),
  query: z.strictObject(pageShape),
  reply: { status: 200, schema: z.strictObject({ sessions: pageOf(sessionSchema), ...nextPageShape }) },
  errors: [],
});
