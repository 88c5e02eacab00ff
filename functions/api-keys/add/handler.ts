import { apiKeyPrefix } from '../../../shared/auth/api-key-pattern.ts';
import { hashApiKeyText, newApiKeyText } from '../../../shared/auth/api-key-text.ts';
import { lambda } from '../../lambda.ts';
import { addApiKey } from '../../table/api-keys.ts';
import { shown } from '../show.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async ({ body, caller }, services) => {
  const { table, clock, newId, randomBytes } = services;
  const { name, role, time_to_live: timeToLive } = body;
  const key = newApiKeyText(randomBytes);
  const now = clock();
  const { kind, keyId: id, name: callerName } = caller();
  const apiKey = {
    key_id: newId(),
    kind: 'api_key' as const,
    name,
    role,
    prefix: apiKeyPrefix(key),
    created_at: now.toISOString(),
    created_by: { kind, id, name: callerName },
    ...(timeToLive !== undefined && 'seconds' in timeToLive
      ? { expires_at: Math.ceil(now.getTime() / 1000) + timeToLive.seconds }
      : {}),
  };
  await addApiKey(table, apiKey, hashApiKeyText(key));
  return { body: { ...shown(apiKey), key } };
});
