import type { Caller } from '../../../shared/http/caller.ts';
import type { SessionsOf } from '../../store/credentials/sessions.ts';

/** Whose sessions a caller may see and end. An API key is not a user, also where it is named like one. */
export function ownSessions({ role, kind, name }: Pick<Caller, 'role' | 'kind' | 'name'>): SessionsOf {
  if (role === 'Admin') return 'everybody';
  return kind === 'api_key' ? 'nobody' : { user: name };
}
