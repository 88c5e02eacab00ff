import { EMERGENCY_LOG_IN } from '../domain/access/admin-account.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * Logs a session of the account `admin` while it is for emergencies. At the level of errors, which is always logged: the
 * alarm counts these lines.
 */
export function noteEmergency(
  { key_id: session }: { key_id: string },
  { requestId: request_id }: { requestId: string },
  { log }: Pick<Dependencies, 'log'>,
): void {
  log({ level: 'error', message: EMERGENCY_LOG_IN, session, request_id });
}
