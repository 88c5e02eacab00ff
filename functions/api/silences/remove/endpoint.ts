import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { silenceIdInPath } from '../../../domain/records/silence.ts';

export const endpoint = defineEndpoint({
  id: 'removeSilence',
  since: '0.2.0',
  folder: 'silences/remove',
  tag: 'Silences',
  method: 'DELETE',
  path: '/v1/silences/{silence_id}',
  summary: 'End a silence',
  role: 'Editor',
  limit: 'checked',
  access: 'write',
  accessEvents: ['silence.removed'],
  params: z.strictObject({ silence_id: silenceIdInPath }),
  reply: { status: 204 },
  errors: ['notFound'],
});
