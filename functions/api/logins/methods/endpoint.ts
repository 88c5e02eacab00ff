import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { offeredMethodSchema } from '../../../domain/access/log-in.ts';
import { pageOf } from '../../../domain/fields/list-page.ts';

export const endpoint = defineEndpoint({
  id: 'listLogInMethods',
  since: '0.2.0',
  folder: 'logins/methods',
  tag: 'Users',
  method: 'GET',
  path: '/v1/logins',
  summary: 'List the ways to log in',
  description:
    'For log-in pages, which choose a method of `POST /v1/logins` from this list. Clients ignore methods that they do not know.',
  role: 'none',
  limit: 'unaffected',
  access: 'none',
  reply: { status: 200, schema: z.strictObject({ methods: pageOf(offeredMethodSchema) }) },
  errors: [],
});
