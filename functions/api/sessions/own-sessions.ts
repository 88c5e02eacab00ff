import type { Caller } from '../../contract/caller.ts';
import type { SessionsOf } from '../../store/credentials/sessions.ts';

/** The sessions that a caller may see and end. An API key is no user, even if its name is that of a user. */
export function ownSessions({
  role,
  kind,
  name,
  userId,
}: Pick<Caller, 'role' | 'kind' | 'name' | 'userId'>): SessionsOf {
  if (role === 'Admin') return 'everybody';
  return kind === 'api_key' ? 'nobody' : { user: userId ?? name };
}
