import type { Table } from '../../../shared/db/table.ts';
import { objectsById } from '../entities/get.ts';
import { heartbeatKey } from '../table/keys.ts';
import { readItems } from '../table/read.ts';
import { type Group, readGroups } from './group.ts';
import { takeInGroup } from './group-reports.ts';
import { pointerIn } from './group-times.ts';
import { type Heartbeat, nodesOf, readHeartbeats } from './heartbeat.ts';
import { type Candidate, joinGroup, MIN_MEMBERS } from './join-group.ts';
import { leaveGroups } from './leave-group.ts';
import { type ReportContents, type RoutineReport, takeWithoutNews } from './report.ts';

/** A report of the agent process of one host. */
export interface HostReport extends ReportContents {
  pmm_agent_id: string;
}

/** Hosts of a request whose heartbeats say in which groups most of its hosts are. */
const SAMPLES = 4;

/** The groups of some hosts of the request: three rounds of batch reads. */
async function groupsOfSamples(table: Table, ids: readonly string[]): Promise<Group[]> {
  if (ids.length < MIN_MEMBERS) return [];
  const step = Math.ceil(ids.length / SAMPLES);
  const samples = ids.filter((_, index) => index % step === 0);
  const processes = await objectsById(table, 'agent', samples);
  const nodeIds = [...processes.values()].flatMap(nodesOf);
  const items = nodeIds.length === 0 ? [] : await readItems(table, [...new Set(nodeIds)].map(heartbeatKey));
  return readGroups(table, [...new Set(items.flatMap((item) => pointerIn(item)?.id ?? []))]);
}

/** A request of a relay while its reports are taken. */
interface Request {
  table: Table;
  now: Date;
  /** The contents of the reports without a result, by the id of the agent process. */
  pending: Map<string, ReportContents>;
  results: Map<string, RoutineReport>;
  /** The number of hosts of the request in each group. */
  groups: Map<string, number>;
}

/** Takes what says nothing new of members of these groups. Other members of the request leave their group. */
async function takeInGroups({ table, now, pending, results, groups }: Request, found: readonly Group[]): Promise<void> {
  for (const group of found) {
    const { quiet, leaving } = await takeInGroup(table, group, pending, now);
    groups.set(group.id, quiet.length);
    for (const { member, at, taken } of quiet) {
      const { pmmAgentId, nodeId, life } = member;
      // The group contains only processes without refused entries, and their agents do not matter for the reply.
      const processes = new Map([[pmmAgentId, { at, agents: {} }]]);
      results.set(pmmAgentId, { heartbeat: { nodeId, life, processes }, taken, refused: [], hasNews: false });
      pending.delete(pmmAgentId);
    }
    await leaveGroups(
      table,
      leaving.map(({ nodeId }) => nodeId),
    );
    // A report with news reads its heartbeat itself.
    for (const { pmmAgentId } of leaving) pending.delete(pmmAgentId);
  }
}

/** Takes what says nothing new by the heartbeat of each host: two rounds of batch reads. @returns what can join a group. */
async function takeByHeartbeats(request: Request): Promise<Candidate[]> {
  const { table, now, pending, results, groups } = request;
  const processes = await objectsById(table, 'agent', [...pending.keys()]);
  const heartbeats = [...(await readHeartbeats(table, [...processes.values()])).values()];
  const unknown = new Set(
    heartbeats.flatMap(({ group }) => (group === undefined || groups.has(group.id) ? [] : group.id)),
  );
  await takeInGroups(request, await readGroups(table, [...unknown]));
  const byProcess = new Map(
    heartbeats.flatMap((one) => [...one.processes.keys()].map((id): [string, Heartbeat] => [id, one])),
  );
  const candidates: Candidate[] = [];
  for (const [pmmAgentId, contents] of pending) {
    const heartbeat = byProcess.get(pmmAgentId);
    const taken = heartbeat && takeWithoutNews(heartbeat, { pmmAgentId, contents, now });
    if (heartbeat === undefined || taken === undefined) continue;
    results.set(pmmAgentId, taken);
    const isConnected = heartbeat.processes.get(pmmAgentId)?.connected !== false;
    if (isConnected && heartbeat.group === undefined) candidates.push({ pmmAgentId, contents, heartbeat });
  }
  return candidates;
}

/**
 * The results of those reports that say nothing new and need not be stored one by one, by the id of the agent process.
 * Hosts that a relay reports together are in groups: some 14 read units for 500 of them, and one write unit when the
 * stored times are older than half of `stale_after`. Of other hosts, a unit for each process and each node.
 */
export async function takeAllWithoutNews(
  table: Table,
  reports: readonly HostReport[],
  now: Date,
): Promise<Map<string, RoutineReport>> {
  const pending = new Map(reports.map(({ pmm_agent_id: id, ...contents }): [string, ReportContents] => [id, contents]));
  const request: Request = { table, now, pending, results: new Map(), groups: new Map() };
  await takeInGroups(request, await groupsOfSamples(table, [...pending.keys()]));
  if (pending.size === 0) return request.results;
  const candidates = await takeByHeartbeats(request);
  const ids = [...request.groups].sort(([, left], [, right]) => right - left).map(([id]) => id);
  await joinGroup(table, candidates, ids, now);
  return request.results;
}
