import { hashInvitationSecret, newInvitationSecret } from '../../../shared/auth/api-key-text.ts';
import type { RandomBytes } from '../../../shared/auth/base62.ts';
import { endAfter } from '../../../shared/core/seconds.ts';

const USUAL_LIFE_SECONDS = 3 * 86_400;

/** A new invitation, and the fields of its user. Only the digest is stored. */
export function newInvitation(randomBytes: RandomBytes, now: Date, seconds = USUAL_LIFE_SECONDS) {
  const invitation = newInvitationSecret(randomBytes);
  return {
    invitation,
    fields: { invitation_hash: hashInvitationSecret(invitation), invitation_expires_at: endAfter(now, seconds) },
  };
}
