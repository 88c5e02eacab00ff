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
    'Exchanges a proof of identity once for a session of 12 hours, or for a key of a program that ends after 15 minutes ' +
    'by default. `new_password` sets the password and ends all other sessions of the user. The reply is the same 401 for every reason; the audit contains the reason.',
  role: 'none',
  limit: 'unaffected',
  logsIn: true,
  access: 'write',
  partitions: 'sessions',
  accessEvents: ['session.added'],
  body: logInSchema,
  reply: { status: 201, schema: loggedInSchema },
  errors: ['unauthenticated', 'resourceExhausted'],
});
