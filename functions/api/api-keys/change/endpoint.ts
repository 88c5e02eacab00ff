import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { apiKeyChange } from '../../../domain/access/api-key.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';

export const endpoint = defineEndpoint({
  id: 'changeApiKey',
  folder: 'api-keys/change',
  tag: 'API keys',
  method: 'PATCH',
  path: '/v1/api-keys/{key_id}',
  summary: 'Change the rate limit of an API key',
  description: 'The limit applies to all secrets of the key. null removes the limit; an absent field changes nothing.',
  role: 'Admin',
  access: 'write',
  partitions: 'api_keys',
  accessEvents: ['api_key.changed'],
  params: z.strictObject({ key_id: idOf('API key') }),
  body: apiKeyChange,
  reply: { status: 204 },
  errors: ['notFound'],
});
