import { apiKeyPrefix } from '../../../../shared/auth/api-key-pattern.ts';
import { hashApiKeySecret, newApiKeySecret } from '../../../../shared/auth/api-key-text.ts';
import { endOf } from '../../../domain/fields/duration.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { toApiKeyReply } from '../../../replies/api-key.ts';
import { addApiKey } from '../../../store/credentials/api-keys.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { table, newId, randomBytes } = dependencies;
  const { body, caller } = request;
  const { name, role, time_to_live: life, rate_limit_per_minute: rate } = body;
  const key = newApiKeySecret(randomBytes);
  const writeContext = writeContextOf(request, dependencies);
  const { now } = writeContext;
  const { kind, keyId: id, name: callerName } = caller();
  const apiKey = {
    key_id: newId(),
    kind: 'api_key' as const,
    name,
    role,
    prefix: apiKeyPrefix(key),
    created_at: now.toISOString(),
    created_by: { kind, id, name: callerName },
    ...endOf(life, now),
    ...(rate === undefined ? {} : { rate_limit_per_minute: rate }),
  };
  await addApiKey(table, apiKey, hashApiKeySecret(key), writeContext);
  return { body: { ...toApiKeyReply(apiKey), key } };
});
