import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
import { enrolmentTokenAddition, newEnrolmentTokenSchema } from '../../../domain/access/enrolment.ts';

export const endpoint = defineEndpoint({
  id: 'addEnrolmentToken',
  folder: 'enrolment-tokens/add',
  tag: 'Enrolment',
  method: 'POST',
  path: '/v1/enrolment-tokens',
  summary: 'Add an enrolment token',
  description:
    'A host trades it, once, for a key of its own (`POST /v1/enrolment`). The reply holds the token. It is shown this once and ' +
    'cannot be had again.',
  role: 'Admin',
  access: 'write',
  partitions: 'enrolment_tokens',
  accessEvents: ['enrolment_token.added'],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: enrolmentTokenAddition,
  reply: { status: 201, schema: newEnrolmentTokenSchema },
  errors: [],
});
