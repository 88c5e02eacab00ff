import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
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
    'The key keeps its id, name and role and gets a new text, which the reply holds: it is shown this once. The present text works ' +
    'on for the overlap, so that no caller is ever refused. The life of the key begins anew, as long as it was. Texts of earlier ' +
    'rotations keep the end that they were given; four can work beside the newest one.',
  role: 'Admin',
  access: 'write',
  partitions: 'api_keys',
  accessEvents: ['api_key.rotated'],
  params: z.strictObject({ key_id: idOf('API key') }),
  query: z.strictObject({}),
  body: rotation,
  reply: { status: 200, schema: newApiKeySchema },
  errors: ['notFound', 'failedPrecondition'],
});
