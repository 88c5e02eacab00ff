import * as z from 'zod/mini';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { newApiKeySchema, rotation } from '../../catalogue/api-key.ts';

export const endpoint = defineEndpoint({
  id: 'rotateOwnApiKey',
  folder: 'api-keys/rotate-own',
  tag: 'API keys',
  method: 'POST',
  path: '/v1/caller/rotate',
  summary: 'Rotate the API key that calls',
  description:
    'As an Admin would rotate it, but for its end, which stays: no key can prolong its own life. The reply holds the new text, ' +
    'which is shown this once.',
  role: 'Viewer',
  scoped: true,
  callers: ['api_key'],
  access: 'write',
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: rotation,
  reply: { status: 200, schema: newApiKeySchema },
  errors: ['notFound', 'failedPrecondition'],
});
