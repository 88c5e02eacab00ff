import type { Table } from '../../../shared/db/table.ts';
import { objectsById } from '../entities/get.ts';
import { readHeartbeats } from './heartbeat.ts';
import { type ReportContents, type TakenReport, takeWithoutNews } from './report.ts';

/** A report of the agent process of one host. */
export interface HostReport extends ReportContents {
  pmm_agent_id: string;
}

/**
 * The results of those reports that say nothing new and need not be stored, by the id of the agent process. Two rounds
 * of batch reads: a unit for each process and each node.
 */
export async function takeAllWithoutNews(
  table: Table,
  reports: readonly HostReport[],
  now: Date,
): Promise<Map<string, TakenReport>> {
  const ids = reports.map(({ pmm_agent_id: id }) => id);
  const processes = await objectsById(table, 'agent', ids);
  const heartbeats = await readHeartbeats(table, [...processes.values()]);
  const byProcess = new Map(
    [...heartbeats.values()].flatMap((one) => [...one.processes.keys()].map((id) => [id, one] as const)),
  );
  const results = new Map<string, TakenReport>();
  for (const { pmm_agent_id: pmmAgentId, ...contents } of reports) {
    const heartbeat = byProcess.get(pmmAgentId);
    const taken = heartbeat && takeWithoutNews(heartbeat, { pmmAgentId, contents, now });
    if (taken !== undefined) results.set(pmmAgentId, taken);
  }
  return results;
}
