import { defineEndpoint } from '../../../contract/endpoint.ts';
import { apiKeyAddition, newApiKeySchema } from '../../../domain/access/api-key.ts';

export const endpoint = defineEndpoint({
  id: 'addApiKey',
  folder: 'api-keys/add',
  tag: 'API keys',
  method: 'POST',
  path: '/v1/api-keys',
  summary: 'Add an API key',
  description: 'The reply contains the key. It is shown only once.',
  role: 'Admin',
  limit: 'checked',
  team: true,
  access: 'write',
  partitions: 'api_keys',
  accessEvents: ['api_key.added'],
  body: apiKeyAddition,
  reply: { status: 201, schema: newApiKeySchema },
  errors: ['alreadyExists'],
});
