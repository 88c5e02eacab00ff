import { inTime } from '../../../shared/http/deadline.ts';
import { cleanupReport } from '../../behaviour/cleanup-report.ts';
import { STANDARD_MAX_SHARE } from '../../catalogue/cleanup.ts';
import { type Services, services } from '../../services.ts';
import { cleanUp } from '../../table/cleanup.ts';

/** A run ends by itself before that; a table that hangs does not. */
const DEADLINE_MS = 25_000;

/**
 * A cleanup by the clock, with the standard brake. What was and was not done goes to the log; one that the brake stops is an
 * error there, but not of the function: Lambda would only try it again.
 */
export function cleanUpOnSchedule({ table, clock, log, newId }: Services) {
  return async (): Promise<void> => {
    const requestId = newId();
    const actor = { kind: 'system', id: 'cleanup', name: 'scheduled cleanup' } as const;
    const origin = { actor, requestId, scope: undefined, clock, latest: 0 };
    const result = await inTime(DEADLINE_MS, () =>
      cleanUp(table, { dryRun: false, maxShare: STANDARD_MAX_SHARE, origin }),
    );
    const report = cleanupReport(result);
    log({ level: result.braked ? 'error' : 'info', message: 'cleanup', request_id: requestId, ...report });
  };
}

export const handler = () => cleanUpOnSchedule(services())();
