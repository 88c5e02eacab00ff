import { apiKeyPrefix } from '../../../../shared/core/api-key-pattern.ts';
import { hashApiKeySecret, newApiKeySecret } from '../../../../shared/auth/api-key-text.ts';
import { endAfter, timeText } from '../../../../shared/core/seconds.ts';
import { ApiError } from '../../../../shared/core/errors.ts';
import { SESSION_HOURS } from '../../../domain/access/session.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { addSession } from '../../../store/credentials/sessions.ts';
import { endpoint } from './endpoint.ts';

const SESSION_SECONDS = SESSION_HOURS * 60 * 60;

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { table, newId, randomBytes } = dependencies;
  const key = newApiKeySecret(randomBytes);
  const writeContext = writeContextOf(request, dependencies);
  const { now } = writeContext;
  const expiresAt = endAfter(now, SESSION_SECONDS);
  const { kind, keyId: id, name, role, accountVersion } = request.caller();
  if (accountVersion === undefined) throw new ApiError('unauthenticated', 'Unauthorized');
  const session = {
    key_id: newId(),
    kind: 'session' as const,
    name,
    role,
    prefix: apiKeyPrefix(key),
    created_at: now.toISOString(),
    created_by: { kind, id, name },
    expires_at: expiresAt,
    account_version: accountVersion,
    source_ip: request.sourceIp,
    method: 'password' as const,
  };
  await addSession(table, session, hashApiKeySecret(key), writeContext);
  return {
    body: { session_id: session.key_id, name, role, expires_at: timeText(expiresAt), key },
  };
});
