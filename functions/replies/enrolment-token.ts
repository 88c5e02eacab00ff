import { timeToLiveText } from '../../shared/auth/time-to-live.ts';
import { timeText } from '../../shared/core/seconds.ts';
import type { EnrolmentToken } from '../store/credentials/enrolment-tokens.ts';

/** The reply for a token: of the token itself only the first characters. */
export function toEnrolmentTokenReply({ key_seconds: life, expires_at: end, ...shown }: EnrolmentToken) {
  return {
    ...shown,
    expires_at: timeText(end),
    ...(life === undefined ? {} : { key_time_to_live: timeToLiveText(life) }),
  };
}
