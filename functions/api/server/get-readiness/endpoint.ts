import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';

export const endpoint = defineEndpoint({
  id: 'getReadiness',
  folder: 'server/get-readiness',
  tag: 'Server',
  method: 'GET',
  path: '/v1/readyz',
  summary: 'Check whether the server is ready',
  description: '503 if the table cannot be used or is not initialised. The message contains the reason and the remedy.',
  role: 'none',
  limit: 'unaffected',
  access: 'read',
  reply: { status: 200, schema: z.strictObject({}) },
  errors: [],
});
