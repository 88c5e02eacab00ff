import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';

export const endpoint = defineEndpoint({
  id: 'getReadiness',
  folder: 'server/get-readiness',
  tag: 'Server',
  method: 'GET',
  path: '/v1/readyz',
  summary: 'Tell whether the server can do its work',
  description:
    '503 when the table cannot be used, or is not set up yet. The message says why, and what to do about it.',
  role: 'none',
  access: 'read',
  params: z.strictObject({}),
  query: z.strictObject({}),
  reply: { status: 200, schema: z.strictObject({}) },
  errors: [],
});
