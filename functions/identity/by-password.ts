import { apiKeyPrefix } from '../../shared/core/api-key-pattern.ts';
import { hashApiKeySecret, newApiKeySecret } from '../../shared/auth/api-key-text.ts';
import { hashUserPassword } from '../../shared/auth/password.ts';
import { endAfter, timeText } from '../../shared/core/seconds.ts';
import { SESSION_HOURS } from '../domain/access/session.ts';
import type { Dependencies } from '../runtime/dependencies.ts';
import { openSession } from '../store/credentials/log-in.ts';
import type { Attempt, LoggedIn, ProofOf } from './attempt.ts';
import { userOfProof } from './user-of-proof.ts';

/** Logs a user of this service in. @throws LogInRefusal with the reason for the audit. */
export async function logInByPassword(
  proof: ProofOf<'password' | 'invitation'>,
  attempt: Attempt,
  dependencies: Dependencies,
): Promise<LoggedIn> {
  const { table, newId, randomBytes } = dependencies;
  const { now, sourceIp } = attempt;
  const user = await userOfProof(proof, attempt, dependencies);
  const { new_password: password } = proof;
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
      method: proof.method,
    },
    hash: hashApiKeySecret(key),
    cause: attempt,
  });
  const { user_id, user_name: name, role, owners } = user;
  return { session_id, user_id, name, role, owners, expires_at: timeText(session.expires_at), key };
}
