import { timeOf } from '../domain/fields/time.ts';
import type { User } from '../store/credentials/users.ts';
import { LOCAL_PROVIDER } from '../domain/access/user.ts';

function stateOf({ disabled, password_hash: password, provider }: User) {
  if (disabled === true) return 'disabled' as const;
  return provider === LOCAL_PROVIDER && password === undefined ? ('invited' as const) : ('active' as const);
}

/** The reply for a user: neither password nor invitation. */
export function toUserReply(user: User) {
  const { user_id, user_name, provider, role, owners, created_at, created_by, password_set_at } = user;
  return {
    user_id,
    user_name,
    provider,
    role,
    ...(owners === undefined ? {} : { owners }),
    state: stateOf(user),
    created_at,
    created_by,
    ...timeOf('last_login_at', user.last_login_at),
    ...(password_set_at === undefined ? {} : { password_set_at }),
    ...timeOf('invitation_expires_at', user.invitation_expires_at),
  };
}
