import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';

export const endpoint = defineEndpoint({
  id: 'removeEnrolmentToken',
  folder: 'enrolment-tokens/remove',
  tag: 'Enrolment',
  method: 'DELETE',
  path: '/v1/enrolment-tokens/{token_id}',
  summary: 'Remove an enrolment token',
  description: 'The token stops working. A key that it created stays.',
  role: 'Admin',
  limit: 'refused',
  access: 'write',
  partitions: 'enrolment_tokens',
  accessEvents: ['enrolment_token.removed'],
  params: z.strictObject({ token_id: idOf('enrolment token') }),
  reply: { status: 204 },
  errors: ['notFound'],
});
