import { endpoint as logIn } from '../../functions/api/logins/add/endpoint.ts';
import { call, type CallOf } from './client.tsx';
import { session } from './session.tsx';

/** Exchanges a proof of the identity of a user for a session key. The proof is not stored. */
export async function logInAsUser(proof: CallOf<typeof logIn>['body']): Promise<void> {
  // Without the key of a session that the tab may have: it proves nothing here.
  const {
    key,
    session_id: id,
    name,
    role,
    owners,
    user_id,
    expires_at,
    renewable_until,
  } = await call(logIn, { body: proof }, { credentials: {} });
  session.begin(key, { kind: 'session', id, name, role, owners, user_id, expires_at }, renewable_until);
}

/** Gets the next key of the session of this tab, which an identity provider opened. */
export async function renewSession(): Promise<void> {
  const key = session.key();
  if (key !== undefined) await logInAsUser({ method: 'session', key });
}
