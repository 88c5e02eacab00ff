import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { newApiKeySchema, rotation } from '../../../domain/access/api-key.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';

export const endpoint = defineEndpoint({
  id: 'rotateApiKey',
  folder: 'api-keys/rotate',
  tag: 'API keys',
  method: 'POST',
  path: '/v1/api-keys/{key_id}/rotate',
  summary: 'Rotate an API key',
  description:
    'The key keeps its id, name and role and gets a new secret. The reply contains the new secret, which is shown ' +
    'only once. The current secret works until the overlap ends. The time to live of the key starts again. Secrets ' +
    'of earlier rotations keep their expiry; at most four previous secrets can work at a time.',
  role: 'Admin',
  limit: 'checked',
  team: true,
  access: 'write',
  partitions: 'api_keys',
  accessEvents: ['api_key.rotated'],
  params: z.strictObject({ key_id: idOf('API key') }),
  body: rotation,
  reply: { status: 200, schema: newApiKeySchema },
  errors: ['notFound', 'failedPrecondition'],
});
