import { apiKeyPrefix } from '../../../../shared/auth/api-key-pattern.ts';
import { hashApiKeyText, newApiKeyText } from '../../../../shared/auth/api-key-text.ts';
import { endOf } from '../../../domain/fields/duration.ts';
import { lambda } from '../../../runtime/endpoint-function.ts';
import { shownApiKey } from '../../../replies/api-key.ts';
import { addApiKey, secondsOf } from '../../../store/credentials/api-keys.ts';
import { originOf } from '../../../store/entities/change-origin.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const { table, clock, newId, randomBytes } = services;
  const { body, caller } = request;
  const { name, role, time_to_live: life, rate_limit_per_minute: rate } = body;
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
    ...endOf(life, secondsOf(now)),
    ...(rate === undefined ? {} : { rate_limit_per_minute: rate }),
  };
  await addApiKey(table, apiKey, hashApiKeyText(key), originOf(request, services));
  return { body: { ...shownApiKey(apiKey), key } };
});
