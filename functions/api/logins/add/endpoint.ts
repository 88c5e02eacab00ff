import { defineEndpoint } from '../../../contract/endpoint.ts';
import { loggedInSchema, logInSchema } from '../../../domain/access/log-in.ts';

export const endpoint = defineEndpoint({
  id: 'logIn',
  since: '0.2.0',
  folder: 'logins/add',
  tag: 'Users',
  method: 'POST',
  path: '/v1/logins',
  summary: 'Log in as a user or a program',
  description:
    'Exchanges a proof of identity once for a session of at most 12 hours, or for a key of a program that ends after 15 ' +
    'minutes by default. `new_password` sets the password and ends all other sessions of the user. A session of an identity ' +
    'provider ends after some minutes unless it is renewed with the method `session`, which reads the groups of the person ' +
    'anew. The reply is the same 401 for every reason; the audit contains the reason. 403: the provider knows the person, ' +
    'but no role binding does.',
  role: 'none',
  limit: 'unaffected',
  logsIn: true,
  access: 'write',
  partitions: 'log_ins',
  accessEvents: ['session.added'],
  body: logInSchema,
  reply: { status: 201, schema: loggedInSchema },
  errors: ['unauthenticated', 'permissionDenied', 'resourceExhausted', 'failedPrecondition'],
});
