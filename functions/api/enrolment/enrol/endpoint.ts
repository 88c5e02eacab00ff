import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
import { enrolledSchema, enrolmentSchema } from '../../../domain/access/enrolment.ts';

export const endpoint = defineEndpoint({
  id: 'enrolNode',
  folder: 'enrolment/enrol',
  tag: 'Enrolment',
  method: 'POST',
  path: '/v1/enrolment',
  summary: 'Trade an enrolment token for a key',
  description:
    'Adds the node and makes a key with the role Registrar that is bound to it, both or neither; the token is used up. With a token ' +
    'that was made for this very node, a node that is there already is taken over as it is, and its key of before ends at once. The ' +
    'reply holds the key. It is shown this once and cannot be had again. A token that is mistyped, used, removed or too old is ' +
    'answered with 401, whichever it is.',
  role: 'none',
  access: 'write',
  partitions: 'enrolment',
  accessEvents: ['enrolment_token.used', 'api_key.added'],
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: enrolmentSchema,
  reply: { status: 201, schema: enrolledSchema },
  errors: ['unauthenticated', 'permissionDenied', 'alreadyExists', 'failedPrecondition'],
});
