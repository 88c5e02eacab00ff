import { defineEndpoint } from '../../../contract/endpoint.ts';
import { deviceAnswer, deviceSchema } from '../../../domain/access/device-authorization.ts';

export const endpoint = defineEndpoint({
  id: 'answerDevice',
  since: '0.2.0',
  folder: 'device-authorizations/answer',
  tag: 'Users',
  method: 'POST',
  path: '/v1/device-authorizations/answer',
  summary: 'Read, approve or deny the request of a device',
  description:
    'For people with a session. An approval gives the program a session of the caller: with at most the role of the caller, ' +
    'the same owners, and an end not after that of the log-in. ' +
    'The session of a device answers no other: 403. A code is answered once. 400 for `user_code`: no program waits with it. ' +
    'A person has 10 requests in a minute.',
  role: 'Viewer',
  limit: 'unaffected',
  callers: ['session'],
  access: 'write',
  partitions: 'sessions',
  accessEvents: ['device.approved'],
  body: deviceAnswer,
  reply: { status: 200, schema: deviceSchema },
  errors: ['permissionDenied', 'resourceExhausted'],
});
