import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';

export const endpoint = defineEndpoint({
  id: 'endSession',
  folder: 'sessions/end',
  tag: 'Server',
  method: 'DELETE',
  path: '/v1/sessions/{session_id}',
  summary: 'End a session',
  description:
    'From then on its key is refused. An Admin may end every session; everybody else may end their own, and does not ' +
    'find those of other users.',
  role: 'Viewer',
  access: 'write',
  partitions: 'sessions',
  accessEvents: ['session.removed'],
  params: z.strictObject({ session_id: idOf('session') }),
  query: z.strictObject({}),
  reply: { status: 204 },
  errors: ['notFound'],
});
