import type { refusalMessages } from '../../shared/auth/refusal-messages.ts';
import { recordRefusal } from '../store/audit/refusals.ts';
import type { Dependencies } from './dependencies.ts';

/** Enough for a successful write; the refusal does not wait longer to be recorded. */
const NOTE_REFUSAL_MS = 500;

/** The audit event of each refusal. A call without credentials is not recorded. */
const noted = {
  invalid: { event: 'api_key.refused', reason: 'invalid_key' },
  token: { event: 'api_key.refused', reason: 'invalid_key' },
  expired: { event: 'api_key.refused', reason: 'expired_key' },
  disabled: { event: 'api_key.refused', reason: 'disabled_key' },
  password: { event: 'sign_in.refused', reason: 'wrong_password' },
} as const;

/** A credential that identifies no caller. */
export interface RefusedCredential {
  refusal: Exclude<keyof typeof refusalMessages, 'logIn'>;
  /** The existing user or key that the refused caller claimed to be. */
  subject?: { kind: string; id: string; name: string };
}

/** Logs and counts a refused credential. Neither contains the credential. */
export async function noteRefusedCredential(
  { refusal, subject }: RefusedCredential,
  { sourceIp, requestId }: { sourceIp: string; requestId: string },
  dependencies: Dependencies,
): Promise<void> {
  dependencies.log({
    level: 'info',
    message: 'credentials refused',
    request_id: requestId,
    reason: refusal,
    source_ip: sourceIp,
  });
  if (refusal === 'missing') return;
  await recordRefusal(dependencies, { ...noted[refusal], subject, sourceIp, requestId }, NOTE_REFUSAL_MS);
}
