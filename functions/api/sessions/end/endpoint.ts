import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';

export const endpoint = defineEndpoint({
  id: 'endSession',
  folder: 'sessions/end',
  tag: 'Server',
  method: 'DELETE',
  path: '/v1/sessions/{session_id}',
  summary: 'End a session',
  description:
    'The session key stops working. An Admin can end every session. Other callers can end only their own; for other ' +
    'sessions the reply is 404.',
  role: 'Viewer',
  limit: 'unaffected',
  access: 'write',
  partitions: 'sessions',
  accessEvents: ['session.removed'],
  params: z.strictObject({ session_id: idOf('session') }),
  reply: { status: 204 },
  errors: ['notFound'],
});
