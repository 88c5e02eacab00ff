import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { enrolmentTokenSchema } from '../../../domain/access/enrolment.ts';
import { nextPageShape, pageOf } from '../../../domain/fields/list-page.ts';
import { pageShape } from '../../../domain/fields/list-query.ts';

export const endpoint = defineEndpoint({
  id: 'listEnrolmentTokens',
  folder: 'enrolment-tokens/list',
  tag: 'Enrolment',
  method: 'GET',
  path: '/v1/enrolment-tokens',
  summary: 'List enrolment tokens',
  description:
    'Unused tokens that have not expired, sorted by id. A used token is removed; the key that it created contains its id.',
  role: 'Admin',
  limit: 'refused',
  access: 'read',
  partitions: 'enrolment_tokens',
  query: z.strictObject(pageShape),
  reply: { status: 200, schema: z.strictObject({ enrolment_tokens: pageOf(enrolmentTokenSchema), ...nextPageShape }) },
  errors: [],
});
