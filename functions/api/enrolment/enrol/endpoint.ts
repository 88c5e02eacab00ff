import { defineEndpoint } from '../../../contract/endpoint.ts';
import { enrolledSchema, enrolmentSchema } from '../../../domain/access/enrolment.ts';

export const endpoint = defineEndpoint({
  id: 'enrolNode',
  folder: 'enrolment/enrol',
  tag: 'Enrolment',
  method: 'POST',
  path: '/v1/enrolment',
  summary: 'Exchange an enrolment token for a key',
  description:
    'Adds the node and a key with the role Registrar that is bound to it, in one transaction, and removes the token. ' +
    'A token for one node can enrol that node again if it exists: the node does not change and its previous key ' +
    'expires at once. The reply contains the key. It is shown only once. The reply is 401 for every token that is ' +
    'unknown, used, removed or expired.',
  role: 'none',
  limit: 'unaffected',
  access: 'write',
  partitions: 'enrolment',
  accessEvents: ['enrolment_token.used', 'api_key.added'],
  body: enrolmentSchema,
  reply: { status: 201, schema: enrolledSchema },
  errors: ['unauthenticated', 'permissionDenied', 'alreadyExists', 'failedPrecondition'],
});
