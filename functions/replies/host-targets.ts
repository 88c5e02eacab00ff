import { digestOf } from '../../shared/http/etag.ts';
import type { Table } from '../../shared/db/table.ts';
import type { Heartbeat } from '../store/heartbeats/heartbeat.ts';
import { isWhole, type RoutineReport } from '../store/heartbeats/report.ts';
import { readHostAgents } from '../store/lists/host-agents.ts';
import { listeningTypes, type ScrapeTarget, targetOf } from '../store/lists/scrape-target.ts';

interface HostTargetQuery {
  nodeId: string;
  heartbeat?: Heartbeat;
  isConsistent?: boolean;
}

/**
 * The targets for a scraper on a node. Of all types: a host has few agents.
 *
 * @throws ApiError `notFound`, `unavailable`.
 */
export async function hostTargets(table: Table, query: HostTargetQuery): Promise<ScrapeTarget[]> {
  const context = await readHostAgents(table, { ...query, types: listeningTypes });
  return context.agents.flatMap((agent) => targetOf(agent, context, 'host') ?? []);
}

/** The text of a reply with these targets. Equal targets have an equal text. */
export const targetsText = (targets: readonly ScrapeTarget[]): string =>
  JSON.stringify(targets.map(({ group }) => group));

/**
 * The digest of the targets of a host, for replies to its reports: the ETag of `node=self` without its quotes. Besides the
 * heartbeat after the report, eventually consistent: half a unit for each object of the host, one for each of its
 * services and one for the node.
 *
 * @throws ApiError `notFound` when the node was removed, `unavailable`.
 */
export async function targetsHashOf(table: Table, heartbeat: RoutineReport['heartbeat']): Promise<string> {
  const heartbeatPart = isWhole(heartbeat) ? { heartbeat } : {};
  const targets = await hostTargets(table, { nodeId: heartbeat.nodeId, ...heartbeatPart, isConsistent: false });
  return digestOf(targetsText(targets));
}
