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
  summary: 'Change the rate limit or the owners of an API key, or disable it',
  description:
    'Applies to all secrets of the key. null removes the rate limit; owners can only be narrowed. A disabled key gets 401 ' +
    'until it is enabled; no key disables itself. An absent field changes nothing.',
  role: 'Admin',
  limit: 'checked',
  team: true,
  access: 'write',
  partitions: 'api_keys',
  accessEvents: ['api_key.changed'],
  params: z.strictObject({ key_id: idOf('API key') }),
  body: apiKeyChange,
  reply: { status: 204 },
  errors: ['notFound', 'failedPrecondition'],
});
