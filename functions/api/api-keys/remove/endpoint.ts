import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';

export const endpoint = defineEndpoint({
  id: 'removeApiKey',
  folder: 'api-keys/remove',
  tag: 'API keys',
  method: 'DELETE',
  path: '/v1/api-keys/{key_id}',
  summary: 'Remove an API key',
  description: 'The key stops working. The last permanent Admin credential cannot be removed.',
  role: 'Admin',
  limit: 'checked',
  team: true,
  access: 'write',
  partitions: 'api_keys',
  accessEvents: ['api_key.removed'],
  params: z.strictObject({ key_id: idOf('API key') }),
  reply: { status: 204 },
  errors: ['notFound', 'failedPrecondition'],
});
