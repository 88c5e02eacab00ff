import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { MAX_SILENCES, silenceSchema } from '../../../domain/records/silence.ts';

export const endpoint = defineEndpoint({
  id: 'listSilences',
  since: '0.2.0',
  folder: 'silences/list',
  tag: 'Silences',
  method: 'GET',
  path: '/v1/silences',
  summary: 'List silences',
  description: `Those that have not ended, the next to end first. At most ${MAX_SILENCES}.`,
  role: 'Viewer',
  limit: 'unaffected',
  access: 'read',
  reply: {
    status: 200,
    schema: z.strictObject({
      silences: z.array(silenceSchema).check(z.meta({ description: 'The silences.' })),
    }),
  },
  errors: [],
});
