import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
import { enrolmentTokenSchema } from '../../../domain/access/enrolment.ts';
import { nextPageShape, pageOf, pageShape } from '../../../domain/fields/list-query.ts';

export const endpoint = defineEndpoint({
  id: 'listEnrolmentTokens',
  folder: 'enrolment-tokens/list',
  tag: 'Enrolment',
  method: 'GET',
  path: '/v1/enrolment-tokens',
  summary: 'List enrolment tokens',
  description:
    'Those that can still be used, sorted by id. One that has been used is gone: the key that it was traded for says so.',
  role: 'Admin',
  access: 'read',
  partitions: 'enrolment_tokens',
  params: z.strictObject({}),
  query: z.strictObject(pageShape),
  reply: { status: 200, schema: z.strictObject({ enrolment_tokens: pageOf(enrolmentTokenSchema), ...nextPageShape }) },
  errors: [],
});
