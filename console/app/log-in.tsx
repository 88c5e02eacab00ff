import { endpoint as getCaller } from '../../functions/api/server/get-caller/endpoint.ts';
import { endpoint as addSession } from '../../functions/api/sessions/add/endpoint.ts';
import { endpoint as removeSession } from '../../functions/api/sessions/remove/endpoint.ts';
import { endpoint as listLogInMethods } from '../../functions/api/logins/methods/endpoint.ts';
import { ApiFailure, call, logInAsUser, type ReplyOf } from '../api/client.tsx';
import { session } from '../api/session.tsx';
import { clockText } from '../ui/time-format.ts';

/** The account that is no user: it logs in with Basic. */
const ADMIN = 'admin';

/** Exchanges the password for a session key. The password is not stored. */
export async function logInWithPassword(user: string, password: string): Promise<void> {
  if (user !== ADMIN) {
    await logInAsUser({ method: 'password', user_name: user, password });
    return;
  }
  const {
    key,
    session_id: id,
    name,
    role,
    expires_at,
  } = await call(addSession, {}, { credentials: { user, password } });
  session.begin(key, { kind: 'session', id, name, role, expires_at });
}

export type OfferedMethod = ReplyOf<typeof listLogInMethods>['methods'][number];

/** The ways to log in that the server offers. */
export const loadMethods = async (): Promise<readonly OfferedMethod[]> =>
  (await call(listLogInMethods, {}, { credentials: {} })).methods;

export async function logInWithKey(key: string): Promise<void> {
  session.begin(key, await call(getCaller, {}, { credentials: { key } }));
}

/** Continues the session whose key is in the storage of this tab. */
export async function restoreSession(): Promise<void> {
  const state = session.state();
  if (state.kind !== 'restoring') return;
  const caller = await call(getCaller, {});
  session.begin(state.key, caller, state.renewableUntil);
}

/** Forgets the key, and ends its session. An API key stays valid, because the console did not create it. */
export async function logOut(): Promise<void> {
  const state = session.state();
  if (state.kind === 'in' && state.caller.kind === 'session') {
    try {
      await call(removeSession, {});
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      // The session had already ended.
      if (error.status !== 401) {
        const until = state.caller.expires_at;
        const end = until === undefined ? '' : ` The session expires at ${clockText(until)}.`;
        session.leave(`You are logged out here, but the session could not be ended on the server.${end}`);
        return;
      }
    }
  }
  session.leave('You are logged out.');
}
