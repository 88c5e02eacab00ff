import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { userSchema } from '../../../domain/access/user.ts';
import { nextPageShape, pageOf } from '../../../domain/fields/list-page.ts';
import { pageShape } from '../../../domain/fields/list-query.ts';

export const endpoint = defineEndpoint({
  id: 'listUsers',
  since: '0.2.0',
  folder: 'users/list',
  tag: 'Users',
  method: 'GET',
  path: '/v1/users',
  summary: 'List users',
  description: 'Sorted by id. The account `admin` is not in the list.',
  role: 'Admin',
  limit: 'refused',
  access: 'read',
  partitions: 'sessions',
  query: z.strictObject(pageShape),
  reply: { status: 200, schema: z.strictObject({ users: pageOf(userSchema), ...nextPageShape }) },
  errors: [],
});
