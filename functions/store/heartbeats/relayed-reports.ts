import { equals } from '../../../shared/db/conditions.ts';
import { retryOnContention, StaleRead } from '../../../shared/db/contention.ts';
import { writeItem } from '../../../shared/db/item-writes.ts';
import type { Table } from '../../../shared/db/table.ts';
import { lastsUntilNextReport, presentDefaults } from '../../domain/fields/liveness.ts';
import { groupTimesKey, heartbeatKey } from '../table/keys.ts';
import { type Group, type GroupMember, readGroups, timesAttributes } from './group.ts';
import { digestOf, type ReportContents } from './stored-report.ts';
import { objectsById } from '../entities/get.ts';
import { readItems } from '../table/read.ts';
import { pointerIn } from './group-times.ts';
import { type Heartbeat, nodesOf, readHeartbeats } from './heartbeat.ts';
import { type Candidate, joinGroup, leaveGroups, MIN_MEMBERS } from './group-membership.ts';
import { type RoutineReport, takeWithoutNews } from './report.ts';

/**
 * After this time the report of a member is stored in its heartbeat again. Only then the service notices agents under
 * the process that were removed, and an earlier version, which knows no groups, sees the node.
 */
const MAX_MEMBERSHIP_MS = 86_400_000;

const membershipMs = ({ lifetime, removeAfter }: GroupMember['life']) =>
  lifetime === 'ephemeral' ? Math.min(MAX_MEMBERSHIP_MS, (removeAfter * 1000) / 2) : MAX_MEMBERSHIP_MS;

/** A report that says nothing new, of a member. */
interface QuietReport {
  member: GroupMember;
  /** The time of the stored report, in milliseconds since 1970. */
  at: number;
  /** The number of agents in the report. */
  taken: number;
}

interface GroupResult {
  quiet: QuietReport[];
  /** Members whose report must be stored in their heartbeat. */
  leaving: GroupMember[];
}

/**
 * Whether the report says what the member said when it joined, and the member is still live by its last report. A report
 * of a lost or a new connection is always stored by itself.
 */
function isQuiet(group: Group, member: GroupMember, contents: ReportContents, now: Date): boolean {
  const { slot, digest, life, heartbeatAt } = member;
  const ageMs = now.getTime() - (group.times.get(slot) ?? NaN);
  const isLive = ageMs >= 0 && ageMs < life.staleAfter * 1000;
  const saysTheSame = contents.agents.length === 0 || digestOf(contents) === digest;
  const isRenewed = now.getTime() - heartbeatAt < membershipMs(life);
  return isLive && saysTheSame && contents.connected === undefined && isRenewed && group.defaults === presentDefaults;
}

/** Stores the time of these reports, if one of them needs it: one write for all. */
async function storeTimes(
  table: Table,
  group: Group,
  quiet: readonly QuietReport[],
  now: Date,
): Promise<QuietReport[]> {
  const nowMs = now.getTime();
  if (quiet.every(({ member, at }) => lastsUntilNextReport(nowMs - at, member.life))) return [...quiet];
  const stored = quiet.map((report) => ({ ...report, at: Math.max(report.at, nowMs) }));
  const times = new Map([...group.times, ...stored.map(({ member, at }) => [member.slot, at] as const)]);
  const { refusal } = await writeItem(table, {
    update: groupTimesKey(group.id),
    set: timesAttributes({ version: group.timesVersion + 1, membersVersion: group.version, times }),
    condition: equals('version', group.timesVersion),
  });
  if (refusal !== undefined) throw new StaleRead();
  return stored;
}

/**
 * Takes the reports of members of a group that say nothing new. No call of the table if the stored times last until the
 * next report, else one write.
 *
 * @param reports the contents by the id of the agent process; those of other processes are left out of the result.
 */
async function takeInGroup(
  table: Table,
  storedGroup: Group,
  reports: ReadonlyMap<string, ReportContents>,
  now: Date,
): Promise<GroupResult> {
  let first: Group | undefined = storedGroup;
  return retryOnContention(table, async () => {
    const group = first ?? (await readGroups(table, [storedGroup.id])).at(0);
    first = undefined;
    if (group === undefined) return { quiet: [], leaving: [] };
    const quiet: QuietReport[] = [];
    const leaving: GroupMember[] = [];
    for (const [pmmAgentId, contents] of reports) {
      const member = group.members.get(pmmAgentId);
      if (member === undefined) continue;
      const at = group.times.get(member.slot) ?? NaN;
      if (isQuiet(group, member, contents, now)) quiet.push({ member, at, taken: contents.agents.length });
      else leaving.push(member);
    }
    return { quiet: await storeTimes(table, group, quiet, now), leaving };
  });
}

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
async function takeInGroups(
  { table, now, pending, results, groups }: Request,
  requested: readonly Group[],
): Promise<void> {
  for (const group of requested) {
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
    heartbeats.flatMap((heartbeat) =>
      [...heartbeat.processes.keys()].map((id): [string, Heartbeat] => [id, heartbeat]),
    ),
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
