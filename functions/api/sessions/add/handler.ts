import { apiKeyPrefix } from '../../../../shared/core/api-key-pattern.ts';
import { hashApiKeySecret, newApiKeySecret } from '../../../../shared/auth/api-key-text.ts';
import { endAfter, timeText } from '../../../../shared/core/seconds.ts';
import { ApiError } from '../../../../shared/core/errors.ts';
import { EMERGENCY_SESSION_HOURS } from '../../../domain/access/admin-account.ts';
import { SESSION_HOURS } from '../../../domain/access/session.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { noteEmergency } from '../../../runtime/note-emergency.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { addSession } from '../../../store/credentials/sessions.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { table, newId, randomBytes, adminAccount } = dependencies;
  const isEmergency = adminAccount === 'emergency';
  const key = newApiKeySecret(randomBytes);
  const writeContext = writeContextOf(request, dependencies);
  const { now } = writeContext;
  const expiresAt = endAfter(now, (isEmergency ? EMERGENCY_SESSION_HOURS : SESSION_HOURS) * 3600);
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
    ...(isEmergency ? { emergency: true as const } : {}),
  };
  await addSession(table, session, hashApiKeySecret(key), writeContext);
  if (isEmergency) noteEmergency(session, request, dependencies);
  return {
    body: { session_id: session.key_id, name, role, expires_at: timeText(expiresAt), key },
  };
});
