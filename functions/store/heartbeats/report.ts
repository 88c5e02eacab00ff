import { isDeepStrictEqual } from 'node:util';
import { ConditionalCheckFailedException, TransactionConflictException } from '../../../shared/db/table-errors.ts';
import { UpdateCommand } from '../../../shared/db/commands.ts';
import { Contention, StaleRead, retryOnContention } from '../../../shared/db/contention.ts';
import type { Item, Table } from '../../../shared/db/table.ts';
import { statusTransitions } from '../../domain/agent/lifecycle.ts';
import type { AgentStatus } from '../../domain/agent/types.ts';
import { stateAfter } from '../../domain/fields/liveness.ts';
import { type Heartbeat, type Report, type Said, toHeartbeat } from './heartbeat.ts';
import { heartbeatKey, objectKey, processAttribute, relations } from '../table/keys.ts';
import { findObjects } from '../entities/get.ts';
import { entityIn, notFound, placeUnder } from '../entities/entity.ts';
import { idsInEdges } from '../entities/links.ts';
import { readCollection } from '../table/read.ts';
import { checkScope, type Scope } from '../entities/key-scope.ts';

/** One entry of a report: what an agent process reports of one of its agents. */
export interface Entry {
  agent_id: string;
  status: AgentStatus;
  listen_port?: number | undefined;
  version?: string | undefined;
}

/** A refused entry, with the reason. */
export interface RefusedEntry {
  agent_id: string;
  reason: 'not_found' | 'impossible_transition';
  message: string;
}

export interface TakenReport {
  heartbeat: Heartbeat;
  taken: number;
  refused: RefusedEntry[];
}

interface Asked {
  pmmAgentId: string;
  entries: readonly Entry[];
  scope: Scope;
  now: Date;
}

interface Process {
  nodeId: string;
  /** Ids of the agents under it. */
  agents: ReadonlySet<string>;
}

/**
 * Reads the agent process with its edges. One strongly consistent query.
 *
 * @throws ApiError `notFound`, `permissionDenied`, `failedPrecondition` for an agent of another type.
 */
async function readProcess(table: Table, id: string, scope: Scope): Promise<Process> {
  const { pk, sk } = objectKey('agent', id);
  const items = await readCollection(table, pk);
  const item = items.find((one) => one['sk'] === sk);
  if (item === undefined) throw notFound('agent', id);
  const entity = entityIn('agent', item);
  checkScope(scope, entity);
  const { runs_on_node_id: nodeId } = placeUnder(entity);
  if (nodeId === undefined) throw new Error('an agent process on no node');
  return { nodeId, agents: new Set(idsInEdges(items, relations.agents)) };
}

const saidBy = ({ status, listen_port: port, version }: Entry): Said => [status, port ?? null, version ?? null];

/** The status of agents according to the inventory, which overrides their process. */
interface Decided {
  /** Disabled agents. Their status is `done`, whatever the process reports. */
  disabled: ReadonlySet<string>;
  /** Agents that were disabled and enabled again since the last report: their status before this report is `done`. */
  enabledAgain: ReadonlySet<string>;
}

const undecided: Decided = { disabled: new Set(), enabledAgain: new Set() };

/** One round of batch reads, only for agents with an impossible transition in the report. */
async function readDecided(table: Table, ids: readonly string[], last: Report | undefined): Promise<Decided> {
  const found = await findObjects(
    table,
    ids.map((id) => ({ kind: 'agent', id })),
  );
  const agents = found.flatMap(({ kind, object }) => (kind === 'agent' ? [object] : []));
  const since = ({ updated_at: time }: { updated_at: string }) => Date.parse(time) >= (last?.at ?? Infinity);
  return {
    disabled: new Set(agents.filter(({ disabled }) => disabled).map(({ agent_id: id }) => id)),
    enabledAgain: new Set(agents.filter((one) => one.status === 'done' && since(one)).map(({ agent_id: id }) => id)),
  };
}

/** Applies the entries to the last report: the agents of the new report, and the refused entries. */
function judge(
  { entries, now }: Asked,
  known: ReadonlySet<string>,
  { life }: Heartbeat,
  last: Report | undefined,
  { disabled, enabledAgain }: Decided = undecided,
): { agents: Report['agents']; refused: RefusedEntry[] } {
  const state = stateAfter(last === undefined ? undefined : now.getTime() - last.at, life);
  const agents = new Map(Object.entries(last?.agents ?? {}).filter(([id]) => known.has(id)));
  const refused: RefusedEntry[] = [];
  for (const entry of entries) {
    const { agent_id: id, status } = entry;
    if (!known.has(id)) {
      const message = `Agent with ID "${shortened(id)}" does not exist under this agent process.`;
      refused.push({ agent_id: id, reason: 'not_found', message });
      continue;
    }
    const said = enabledAgain.has(id) ? 'done' : (agents.get(id)?.[0] ?? 'unknown');
    const before = state === 'offline' ? 'unknown' : said;
    const possible = statusTransitions[before];
    const isPossible = status === before ? status !== 'unknown' : possible.includes(status);
    if (disabled.has(id)) agents.set(id, saidBy({ ...entry, status: 'done' }));
    else if (isPossible) agents.set(id, saidBy(entry));
    else {
      const message = `Cannot be ${status} after ${before}. Allowed: ${possible.join(', ')}.`;
      refused.push({ agent_id: id, reason: 'impossible_transition', message });
    }
  }
  return { agents: Object.fromEntries(agents), refused };
}

const shortened = (id: string) => id.slice(0, 36);

interface Written {
  nodeId: string;
  process: string;
  report: Report;
  /** The condition on the stored report: the same contents, or the same time as `last`. */
  expected: { agents: Report['agents'] } | { last: Report | undefined };
}

/**
 * The condition with its names and values: DynamoDB refuses unused ones. `at` needs a placeholder, as a reserved word.
 */
function conditionOf({ expected }: Written) {
  if ('agents' in expected)
    return { holds: '#process.#said = :said', names: { '#said': 'agents' }, values: { ':said': expected.agents } };
  const names = { '#at': 'at' };
  return expected.last === undefined
    ? { holds: 'attribute_not_exists(#process.#at)', names, values: {} }
    : { holds: '#process.#at = :last', names, values: { ':last': expected.last.at } };
}

/**
 * Writes a report into the heartbeat of the node: one write unit for a typical node.
 *
 * @returns the new heartbeat as `written`; or, when the condition fails, the present one as `found`.
 */
async function write(table: Table, of: Written): Promise<{ written?: Item; found?: Item | undefined }> {
  const { holds, names, values } = conditionOf(of);
  try {
    const { Attributes = {} } = await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: heartbeatKey(of.nodeId),
        UpdateExpression: 'SET #process = :report',
        ConditionExpression: `attribute_exists(#process) AND ${holds}`,
        ExpressionAttributeNames: { '#process': of.process, ...names },
        ExpressionAttributeValues: { ':report': of.report, ...values },
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return { written: Attributes };
  } catch (error) {
    // An agent process is being added to or removed from this node.
    if (error instanceof TransactionConflictException) throw new Contention(error);
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { found: error.Item };
  }
}

/**
 * Stores the report of an agent process: that it is alive, and the status of the agents under it, entry by entry. One
 * read, and one write when the report equals the last one; otherwise two writes, because only then the last report is
 * needed.
 *
 * @throws ApiError `notFound`, `permissionDenied`, `failedPrecondition` for an agent that is no agent process,
 *   `unavailable`.
 */
export async function takeReport(table: Table, asked: Asked): Promise<TakenReport> {
  const { pmmAgentId, entries, now } = asked;
  const process = processAttribute(pmmAgentId);
  return retryOnContention(async () => {
    const { nodeId, agents: known } = await readProcess(table, pmmAgentId, asked.scope);
    const ofKnown = entries.filter(({ agent_id: id }) => known.has(id));
    const same = Object.fromEntries(ofKnown.map((entry) => [entry.agent_id, saidBy(entry)]));
    const steadyReport = { at: now.getTime(), agents: same };
    const steady = await write(table, { nodeId, process, report: steadyReport, expected: { agents: same } });
    if (steady.written !== undefined) {
      const heartbeat = toHeartbeat(steady.written);
      return { heartbeat, taken: ofKnown.length, refused: judge(asked, known, heartbeat, steadyReport).refused };
    }
    const there = steady.found === undefined ? undefined : toHeartbeat(steady.found);
    // The agent process was removed since it was read.
    if (there?.processes.has(pmmAgentId) !== true) throw notFound('agent', pmmAgentId);
    const last = there.processes.get(pmmAgentId);
    const first = judge(asked, known, there, last);
    const doubtful = first.refused.filter(({ reason }) => reason === 'impossible_transition');
    const ids = doubtful.map(({ agent_id: id }) => id);
    const { agents, refused } =
      ids.length === 0 ? first : judge(asked, known, there, last, await readDecided(table, ids, last));
    const report = { at: now.getTime(), agents };
    const { written, found } = await write(table, { nodeId, process, report, expected: { last } });
    const heartbeat = written ?? found;
    // A concurrent report of this process, unless it is this one, whose first reply was lost.
    if (heartbeat === undefined || !isDeepStrictEqual(toHeartbeat(heartbeat).processes.get(pmmAgentId), report))
      throw new StaleRead();
    return { heartbeat: toHeartbeat(heartbeat), taken: entries.length - refused.length, refused };
  });
}
