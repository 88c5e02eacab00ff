import { isDeepStrictEqual } from 'node:util';
import { absent, and, equals, exists } from '../../../shared/db/conditions.ts';
import { retryOnContention, StaleRead } from '../../../shared/db/contention.ts';
import { writeItem } from '../../../shared/db/item-writes.ts';
import type { Item, Table } from '../../../shared/db/table.ts';
import { transact } from '../../../shared/db/transact.ts';
import { statusesAfter } from '../../domain/agent/lifecycle.ts';
import { isReporter } from '../../domain/agent/types.ts';
import { lastsUntilNextReport } from '../../domain/fields/liveness.ts';
import { type Heartbeat, readHeartbeat, toHeartbeat } from './heartbeat.ts';
import { stateBy } from './shown-state.ts';
import {
  reasonsOf,
  type Report,
  type ReportContents,
  type ReportEntry,
  reportTime,
  saidBy,
  saysTheSame,
  type Statement,
} from './stored-report.ts';
import { GROUP } from './group-times.ts';
import { type HostKey, keyUseAttribute } from '../entities/key-use.ts';
import { leaveGroups } from './group-membership.ts';
import { historyAfter } from './report-history.ts';
import { statusTimesAfter } from './status-history.ts';
import { heartbeatKey, objectKey, processAttribute, relations } from '../table/keys.ts';
import { findObjects, objectsById } from '../entities/get.ts';
import { renewalSteps } from './heartbeat-update.ts';
import { type Entity, entityIn, notFound, placeUnder } from '../entities/entity.ts';
import { idsInEdges } from '../entities/derived-items.ts';
import { readCollection } from '../table/read.ts';
import { type Scope, visible } from '../entities/key-scope.ts';
import type { OwnerLimit } from '../../domain/access/owned-objects.ts';
import { foreignOwner, isWithinOwners } from '../entities/owner-limit.ts';

export interface RefusedEntry {
  agent_id: string;
  reason: 'not_found' | 'impossible_transition';
  message: string;
}

/** As much of a heartbeat as a group contains: of one process, without its agents. */
export type MemberHeartbeat = Pick<Heartbeat, 'nodeId' | 'life' | 'processes'>;

export const isWhole = (heartbeat: Heartbeat | MemberHeartbeat): heartbeat is Heartbeat => 'nodeName' in heartbeat;

/** A report that was taken, as far as a reply needs it. */
export interface RoutineReport {
  /** After the report. */
  heartbeat: Heartbeat | MemberHeartbeat;
  taken: number;
  refused: RefusedEntry[];
  /** Whether it says something else than the stored report. */
  hasNews: boolean;
}

export interface TakenReport extends RoutineReport {
  heartbeat: Heartbeat;
}

interface HeartbeatRequest {
  pmmAgentId: string;
  contents: ReportContents;
  scope: Scope;
  /** Of an Editor with owners; undefined also for a host, which reports whatever the owner of its node is. */
  limit: OwnerLimit | undefined;
  /** Of a host that reports with its own key. */
  hostKey?: HostKey | undefined;
  now: Date;
}

export interface Process {
  nodeId: string;
  /** Ids of the agents under it; of a collector, its own id: it reports its own status. */
  agents: ReadonlySet<string>;
}

/** The node of a collector, which has no agents under it; undefined for any other object. */
function placeOfCollector({ kind, object }: Entity): string | undefined {
  if (kind !== 'agent' || object.agent_type === 'pmm_agent' || !isReporter(object.agent_type)) return undefined;
  return object.runs_on_node_id;
}

/**
 * Reads the agent process with its edges. One strongly consistent query.
 *
 * @throws ApiError `notFound`, `permissionDenied`, `failedPrecondition` for an agent of another type.
 */
export async function readProcess(
  table: Table,
  id: string,
  { scope, limit }: Pick<HeartbeatRequest, 'scope' | 'limit'>,
): Promise<Process> {
  const { pk, sk } = objectKey('agent', id);
  const items = await readCollection(table, pk);
  const item = items.find((candidate) => candidate['sk'] === sk);
  if (item === undefined) throw notFound('agent', id);
  const entity = visible(scope, entityIn('agent', item));
  if (limit !== undefined && !isWithinOwners(limit, entity)) throw foreignOwner(entity, limit);
  const collectorPlace = placeOfCollector(entity);
  if (collectorPlace !== undefined) return { nodeId: collectorPlace, agents: new Set([id]) };
  const { runs_on_node_id: nodeId } = placeUnder(entity);
  if (nodeId === undefined) throw new Error('an agent process on no node');
  return { nodeId, agents: new Set(idsInEdges(items, relations.agents)) };
}

/** The status of agents according to the inventory, which overrides their process. */
interface StatusOverrides {
  /** Disabled agents. Their status is `done`, whatever the process reports. */
  disabled: ReadonlySet<string>;
  /** Agents that were disabled and enabled again since the last report: their status before this report is `done`. */
  enabledAgain: ReadonlySet<string>;
}

const undecided: StatusOverrides = { disabled: new Set(), enabledAgain: new Set() };

/** One round of batch reads, only for agents with an impossible transition in the report. */
async function readDecided(table: Table, ids: readonly string[], last: Report | undefined): Promise<StatusOverrides> {
  const entities = await findObjects(
    table,
    ids.map((id) => ({ kind: 'agent', id })),
  );
  const agents = entities.flatMap(({ kind, object }) => (kind === 'agent' ? [object] : []));
  const since = ({ updated_at: time }: { updated_at: string }) => Date.parse(time) >= (last?.at ?? Infinity);
  return {
    disabled: new Set(agents.filter(({ disabled }) => disabled).map(({ agent_id: id }) => id)),
    enabledAgain: new Set(
      agents.filter((agent) => agent.status === 'done' && since(agent)).map(({ agent_id: id }) => id),
    ),
  };
}

/** Applies the entries to the last report: the new report, and the refused entries. */
function applyEntries(
  { pmmAgentId, contents, now }: Pick<HeartbeatRequest, 'pmmAgentId' | 'contents' | 'now'>,
  agentIds: ReadonlySet<string>,
  heartbeat: Heartbeat,
  last: Report | undefined,
  { disabled, enabledAgain }: StatusOverrides = undecided,
): { statement: Statement; refused: RefusedEntry[] } {
  const isAnew = contents.reset === true || stateBy(heartbeat, last, now) === 'offline';
  const agents = new Map(Object.entries(last?.agents ?? {}).filter(([id]) => agentIds.has(id)));
  const isOwn = (id: string) => id === pmmAgentId && !agentIds.has(id);
  const reasons = new Map(Object.entries(last?.reasons ?? {}).filter(([id]) => agentIds.has(id) || isOwn(id)));
  // It speaks of the connection before.
  if (contents.connected === true && isOwn(pmmAgentId)) reasons.delete(pmmAgentId);
  const setReason = ({ agent_id: id, status_reason: reason }: ReportEntry) =>
    reason === undefined ? reasons.delete(id) : reasons.set(id, reason);
  const store = (entry: ReportEntry) => {
    agents.set(entry.agent_id, saidBy(entry));
    setReason(entry);
  };
  const refused: RefusedEntry[] = [];
  let version = last?.version;
  for (const entry of contents.agents) {
    const { agent_id: id, status } = entry;
    if (!agentIds.has(id)) {
      const message = `Agent with ID "${shortened(id)}" does not exist under this agent process.`;
      // An agent process has no status, but a version, and may have a reason for attention.
      if (isOwn(id)) {
        setReason(entry);
        version = entry.version ?? version;
      } else refused.push({ agent_id: id, reason: 'not_found', message });
      continue;
    }
    const said = enabledAgain.has(id) ? 'done' : (agents.get(id)?.[0] ?? 'unknown');
    const before = isAnew ? 'unknown' : said;
    const possible = statusesAfter(before);
    const isPossible = status === before ? status !== 'unknown' : possible.includes(status);
    if (disabled.has(id)) store({ ...entry, status: 'done', status_reason: undefined });
    else if (isPossible) store(entry);
    else {
      const message = `Cannot be ${status} after ${before}. Allowed: ${possible.join(', ')}.`;
      refused.push({ agent_id: id, reason: 'impossible_transition', message });
    }
  }
  const lost = contents.connected === false ? { connected: false as const } : {};
  const ofProcess = version === undefined ? {} : { version };
  return { statement: { agents: Object.fromEntries(agents), ...reasonsOf(reasons), ...lost, ...ofProcess }, refused };
}

const shortened = (id: string) => id.slice(0, 36);

interface ReportWrite {
  nodeId: string;
  process: string;
  report: Report;
  /** The stored report that it replaces; undefined: none. */
  last: Report | undefined;
  /** The attribute with the use of the key of the host, if it reports with it. */
  use: Item;
}

/**
 * Writes a report into the heartbeat of the node: one write unit for a typical node.
 *
 * @returns the heartbeat afterwards; the present one if the stored report is another one than `last`.
 */
async function write(table: Table, { nodeId, process, report, last, use }: ReportWrite) {
  const { item, refusal } = await writeItem(
    table,
    {
      update: heartbeatKey(nodeId),
      set: { [process]: report, ...use },
      condition: and(exists(process), absent(GROUP), equals([process, 'at'], last?.at)),
    },
    { ReturnValues: 'ALL_NEW' },
  );
  return refusal === undefined ? item : refusal.Item;
}

/** The heartbeat of a node. If it is from a version with other defaults, its timers are computed again, once. */
async function readPresentHeartbeat(table: Table, nodeId: string): Promise<Heartbeat | undefined> {
  const heartbeat = await readHeartbeat(table, nodeId);
  if (heartbeat?.isOutdated !== true) return heartbeat;
  const [node] = (await objectsById(table, 'node', [nodeId])).values();
  if (node === undefined) throw new StaleRead();
  if (heartbeat.group !== undefined) await leaveGroups(table, [nodeId]);
  await transact(table, renewalSteps(node.object));
  return readHeartbeat(table, nodeId);
}

/**
 * Whether a stored report is recent enough that one without news need not be stored. That of a new connection is always
 * stored: by its time a backend that lost an older connection learns of it.
 */
function isRecent(
  { life }: Heartbeat,
  last: Report | undefined,
  { contents, now }: Pick<HeartbeatRequest, 'contents' | 'now'>,
): boolean {
  return contents.connected !== true && last !== undefined && lastsUntilNextReport(now.getTime() - last.at, life);
}

/**
 * The result of a report that says nothing new and need not be stored, as far as the heartbeat of its node tells;
 * undefined for any other report. An agent that was removed since the stored report is not noticed.
 */
export function takeWithoutNews(
  heartbeat: Heartbeat,
  { pmmAgentId, contents, now }: Pick<HeartbeatRequest, 'pmmAgentId' | 'contents' | 'now'>,
): TakenReport | undefined {
  const last = heartbeat.processes.get(pmmAgentId);
  const agentIds = new Set(Object.keys(last?.agents ?? {}));
  // An entry of a process about itself is news: for a collector, which is not known here, it is a status.
  if (contents.agents.some(({ agent_id: id }) => id === pmmAgentId && !agentIds.has(id))) return undefined;
  const { statement, refused } = applyEntries({ pmmAgentId, contents, now }, agentIds, heartbeat, last);
  const hasNews = refused.length > 0 || !saysTheSame(statement, last);
  if (hasNews || heartbeat.isOutdated || !isRecent(heartbeat, last, { contents, now })) return undefined;
  return { heartbeat, taken: contents.agents.length, refused, hasNews: false };
}

/**
 * Stores the report of an agent process: that it is alive, and the status of the agents under it, entry by entry. Two
 * reads, and one write unless the report says nothing new and the stored one is recent.
 *
 * The owner of the process is no condition of the write: an item of its own would cost a transaction. A change of the owner
 * in between does not write the heartbeat, so the result is that of a report before the change.
 *
 * @throws ApiError `notFound`, `permissionDenied`, `failedPrecondition` for an agent that is no agent process,
 *   `unavailable`.
 */
export async function takeReport(table: Table, asked: HeartbeatRequest): Promise<TakenReport> {
  const { pmmAgentId, contents, now } = asked;
  return retryOnContention(table, async () => {
    const { nodeId, agents: agentIds } = await readProcess(table, pmmAgentId, asked);
    const heartbeat = await readPresentHeartbeat(table, nodeId);
    // The agent process was removed since it was read.
    if (heartbeat?.processes.has(pmmAgentId) !== true) throw notFound('agent', pmmAgentId);
    const last = heartbeat.processes.get(pmmAgentId);
    const first = applyEntries(asked, agentIds, heartbeat, last);
    const doubtful = first.refused.filter(({ reason }) => reason === 'impossible_transition');
    const ids = doubtful.map(({ agent_id: id }) => id);
    const { statement, refused } =
      ids.length === 0 ? first : applyEntries(asked, agentIds, heartbeat, last, await readDecided(table, ids, last));
    const taken = contents.agents.length - refused.length;
    const isStored = saysTheSame(statement, last);
    const hasNews = refused.length > 0 || !isStored;
    if (isStored && isRecent(heartbeat, last, asked)) return { heartbeat, taken, refused, hasNews };
    if (heartbeat.group !== undefined) {
      await leaveGroups(table, [nodeId]);
      throw new StaleRead();
    }
    const at = reportTime(last, contents, now);
    const past = { history: historyAfter(last, heartbeat.life, at), ...statusTimesAfter(last, statement.agents, at) };
    const report = { at, ...statement, ...past };
    const hostKey = asked.scope === nodeId ? asked.hostKey : undefined;
    const use = hostKey === undefined ? {} : keyUseAttribute(hostKey, now, heartbeat.keyUse);
    const stored = await write(table, { nodeId, process: processAttribute(pmmAgentId), report, last, use });
    // A concurrent report of this process, unless it is this one, whose first reply was lost.
    if (stored === undefined || !isDeepStrictEqual(toHeartbeat(stored).processes.get(pmmAgentId), report))
      throw new StaleRead();
    return { heartbeat: toHeartbeat(stored), taken, refused, hasNews };
  });
}
