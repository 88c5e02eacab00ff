import { timeTextOfMs } from '../../shared/core/seconds.ts';
import type * as z from 'zod/mini';
import type { takenReport } from '../domain/agent/report.ts';
import { reportAfterSeconds } from '../domain/fields/liveness.ts';
import type { RoutineReport } from '../store/heartbeats/report.ts';

/** The reply to a report of an agent process. */
export function takenReportReply(
  pmmAgentId: string,
  { heartbeat: { life, processes }, taken, refused }: RoutineReport,
  targetsHash?: string,
): z.input<typeof takenReport> {
  const { at: reportedAt = NaN, connected = true } = processes.get(pmmAgentId) ?? {};
  return {
    reported_at: timeTextOfMs(reportedAt),
    stale_at: timeTextOfMs(reportedAt + (connected ? life.staleAfter * 1000 : 0)),
    report_after_seconds: reportAfterSeconds(life, Math.random()),
    taken,
    refused,
    ...(targetsHash === undefined ? {} : { targets_hash: targetsHash }),
  };
}
