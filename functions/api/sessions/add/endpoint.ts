import * as z from 'zod/mini';
import { roles } from '../../../../shared/auth/roles.ts';
import { defineEndpoint } from '../../../contract/endpoint.ts';

export const endpoint = defineEndpoint({
  id: 'addSession',
  folder: 'sessions/add',
  tag: 'Server',
  method: 'POST',
  path: '/v1/sessions',
  summary: 'Log in',
  description:
    'For people: authenticate with Basic and the password, then use the session key. It expires after 12 hours.',
  role: 'Viewer',
  limit: 'unaffected',
  callers: ['user'],
  access: 'write',
  partitions: 'sessions',
  accessEvents: ['session.added'],
  reply: {
    status: 201,
    schema: z.strictObject({
      session_id: z.string().check(z.meta({ description: 'Id of the session (UUID).' })),
      name: z.string().check(z.meta({ description: 'Name of the user.' })),
      role: z.enum(roles).check(z.meta({ description: 'Role of the session: the role of the user.' })),
      expires_at: z.iso.datetime().check(z.meta({ description: 'When it expires.' })),
      key: z.string().check(z.meta({ description: 'The session key, used like an API key. It is shown only once.' })),
    }),
  },
  errors: [],
});
