import { defineEndpoint } from '../../../contract/endpoint.ts';
import { deviceCodesSchema, deviceRequest } from '../../../domain/access/device-authorization.ts';

export const endpoint = defineEndpoint({
  id: 'authorizeDevice',
  since: '0.2.0',
  folder: 'device-authorizations/add',
  tag: 'Users',
  method: 'POST',
  path: '/v1/device-authorizations',
  summary: 'Ask for a session on a device without a browser',
  description:
    'The device authorization request of RFC 8628, as JSON. The program shows `user_code`; a person who is logged in types it ' +
    'in the console and approves or denies. In the meantime the program repeats `POST /v1/logins` with the method `device`. An ' +
    'address has 60 requests of this kind in a minute.',
  role: 'none',
  limit: 'unaffected',
  logsIn: true,
  access: 'write',
  partitions: 'device_requests',
  accessEvents: [],
  body: deviceRequest,
  reply: { status: 201, schema: deviceCodesSchema },
  errors: ['resourceExhausted'],
});
