import type * as z from 'zod/mini';
import type { takenReport } from '../domain/agent/report.ts';
import { reportAfterSeconds } from '../domain/fields/liveness.ts';
import type { TakenReport } from '../store/heartbeats/report.ts';

/** The reply to a report of an agent process. */
export function takenReportReply(
  pmmAgentId: string,
  { heartbeat: { life, processes }, taken, refused }: TakenReport,
): z.input<typeof takenReport> {
  const reportedAt = processes.get(pmmAgentId)?.at ?? NaN;
  return {
    reported_at: new Date(reportedAt).toISOString(),
    stale_at: new Date(reportedAt + life.staleAfter * 1000).toISOString(),
    report_after_seconds: reportAfterSeconds(life, Math.random()),
    taken,
    refused,
  };
}
