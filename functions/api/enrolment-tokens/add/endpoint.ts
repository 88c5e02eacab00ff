import { defineEndpoint } from '../../../contract/endpoint.ts';
import { enrolmentTokenAddition, newEnrolmentTokenSchema } from '../../../domain/access/enrolment.ts';

export const endpoint = defineEndpoint({
  id: 'addEnrolmentToken',
  folder: 'enrolment-tokens/add',
  tag: 'Enrolment',
  method: 'POST',
  path: '/v1/enrolment-tokens',
  summary: 'Add an enrolment token',
  description:
    'A host exchanges the token once for its own key (`POST /v1/enrolment`). The reply contains the token. It is ' +
    'shown only once.',
  role: 'Admin',
  limit: 'refused',
  access: 'write',
  partitions: 'enrolment_tokens',
  accessEvents: ['enrolment_token.added'],
  body: enrolmentTokenAddition,
  reply: { status: 201, schema: newEnrolmentTokenSchema },
  errors: [],
});
