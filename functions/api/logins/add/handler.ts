import { apiKeyPrefix } from '../../../../shared/core/api-key-pattern.ts';
import { hashApiKeySecret, newApiKeySecret } from '../../../../shared/auth/api-key-text.ts';
import { hashUserPassword } from '../../../../shared/auth/password.ts';
import { endAfter, timeText } from '../../../../shared/core/seconds.ts';
import { SESSION_HOURS } from '../../../domain/access/session.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { limitLogIns, openSession } from '../../../store/credentials/log-in.ts';
import { logInByToken } from '../jwt/by-token.ts';
import { userOfProof } from '../user-of-proof.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { body, requestId, sourceIp } = request;
  const { table, clock, newId, randomBytes } = dependencies;
  const now = clock();
  await limitLogIns(table, { sourceIp, now });
  if (body.method === 'jwt') return { body: await logInByToken(body, { sourceIp, requestId, now }, dependencies) };
  const user = await userOfProof(body, { sourceIp, now }, dependencies);
  const { new_password: password } = body;
  const passwordHash = password === undefined ? undefined : await hashUserPassword(password, randomBytes);
  const key = newApiKeySecret(randomBytes);
  const { key_id: session_id, ...session } = await openSession(table, {
    user,
    passwordHash,
    session: {
      key_id: newId(),
      prefix: apiKeyPrefix(key),
      expires_at: endAfter(now, SESSION_HOURS * 3600),
      source_ip: sourceIp,
      method: body.method,
    },
    hash: hashApiKeySecret(key),
    cause: { requestId, now, sourceIp },
  });
  const { user_id, user_name: name, role, owners } = user;
  return { body: { session_id, user_id, name, role, owners, expires_at: timeText(session.expires_at), key } };
});
