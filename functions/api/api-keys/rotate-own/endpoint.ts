import { defineEndpoint } from '../../../contract/endpoint.ts';
import { newApiKeySchema, rotation } from '../../../domain/access/api-key.ts';

export const endpoint = defineEndpoint({
  id: 'rotateOwnApiKey',
  folder: 'api-keys/rotate-own',
  tag: 'API keys',
  method: 'POST',
  path: '/v1/caller/rotate',
  summary: 'Rotate the calling API key',
  description:
    'The key gets a new secret and keeps its expiry: a key cannot extend its own life. The reply contains the new ' +
    'secret, which is shown only once. Only the newest secret can rotate its key. A client that did not receive the ' +
    'reply can repeat the rotation with the previous secret, during the overlap and while the newer secret is ' +
    'unused: the secret that it gets expires with the previous one.',
  role: 'Viewer',
  limit: 'unaffected',
  scoped: true,
  gateway: true,
  callers: ['api_key'],
  access: 'write',
  partitions: 'own_key',
  accessEvents: ['api_key.rotated'],
  body: rotation,
  reply: { status: 200, schema: newApiKeySchema },
  errors: ['failedPrecondition'],
});
