import { timeToLiveText } from '../../shared/auth/time-to-live.ts';
import { timeText } from '../../shared/core/seconds.ts';
import type { EnrolmentToken } from '../store/credentials/enrolment-tokens.ts';

/** The reply for a token: of the token itself only the first characters. */
export function toEnrolmentTokenReply(token: EnrolmentToken) {
  const { token_id, name, prefix, created_at, created_by, node_name, allowed_addresses, owner } = token;
  const { key_seconds: life, key_rate_limit_per_minute } = token;
  return {
    ...{ token_id, name, prefix, created_at, created_by, node_name, allowed_addresses, owner },
    key_rate_limit_per_minute,
    expires_at: timeText(token.expires_at),
    ...(life === undefined ? {} : { key_time_to_live: timeToLiveText(life) }),
  };
}
