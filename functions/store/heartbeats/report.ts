import { isDeepStrictEqual } from 'node:util';
import { ConditionalCheckFailedException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { Contention, StaleRead, retryOnContention } from '../../../shared/db/contention.ts';
import type { Item, Table } from '../../../shared/db/table.ts';
import { statusTransitions } from '../../domain/agent/lifecycle.ts';
import type { AgentStatus } from '../../domain/agent/types.ts';
import { stateAfter } from '../../domain/fields/liveness.ts';
import { type Heartbeat, type Report, type Said, toHeartbeat } from './heartbeat.ts';
import { heartbeatKey, objectKey, processAttribute, relations } from '../table/keys.ts';
import { findObjects } from '../entities/get.ts';
import { notFound, objectIn, placeUnder, toEntity } from '../entities/entity.ts';
import { readCollection } from '../table/read.ts';
import { checkScope, type Scope } from '../entities/key-scope.ts';

/** What a process says of one of its agents. */
export interface Entry {
  agent_id: string;
  status: AgentStatus;
  listen_port?: number | undefined;
  version?: string | undefined;
}

/** An entry that was not taken, and why. */
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
 * One strongly consistent query: the process with all its edges.
 *
 * @throws ApiError `notFound`, `permissionDenied`, `failedPrecondition` for an agent of another type.
 */
async function readProcess(table: Table, id: string, scope: Scope): Promise<Process> {
  const { pk, sk } = objectKey('agent', id);
  const items = await readCollection(table, pk);
  const item = items.find((one) => one['sk'] === sk);
  if (item === undefined) throw notFound('agent', id);
  const entity = toEntity('agent', objectIn(item));
  checkScope(scope, entity);
  const { runs_on_node_id: nodeId } = placeUnder(entity);
  if (nodeId === undefined) throw new Error('an agent process on no node');
  const edges = items.filter((one) => String(one['sk']).startsWith(relations.agents));
  return { nodeId, agents: new Set(edges.map((edge) => String(edge['object_id']))) };
}

const saidBy = ({ status, listen_port: port, version }: Entry): Said => [status, port ?? null, version ?? null];

/** What the inventory itself says of agents, against which their process cannot be wrong. */
interface Decided {
  /** They are done, whatever is said of them. */
  disabled: ReadonlySet<string>;
  /** They were done since the last report: disabled, and enabled again. */
  enabledAgain: ReadonlySet<string>;
}

const undecided: Decided = { disabled: new Set(), enabledAgain: new Set() };

/** One round of batch reads, only for agents of which something is said that could not follow. */
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

/** What is to be written in place of the last report, entry by entry. */
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
  /** What has to stand there: what was said last, or when. */
  expected: { agents: Report['agents'] } | { last: Report | undefined };
}

/** The condition; no name or value may be there that it does not use, and `at` is a word of the engine's own. */
function conditionOf({ expected }: Written) {
  if ('agents' in expected)
    return { holds: '#process.#said = :said', names: { '#said': 'agents' }, values: { ':said': expected.agents } };
  const names = { '#at': 'at' };
  return expected.last === undefined
    ? { holds: 'attribute_not_exists(#process.#at)', names, values: {} }
    : { holds: '#process.#at = :last', names, values: { ':last': expected.last.at } };
}

/**
 * Puts a report into the heartbeat of the node, which is one write unit for a usual node.
 *
 * @returns the heartbeat as it is then, or, where the condition does not hold, the one that stands there.
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
    // An agent process comes or goes on this node at this moment.
    if (error instanceof TransactionConflictException) throw new Contention(error);
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { found: error.Item === undefined ? undefined : unmarshall(error.Item) };
  }
}

/**
 * Takes what an agent process says of the agents under it, entry by entry, and that it is there. One read, and one write as
 * long as it says what it said last; two when it says something else, since only then its last words matter.
 *
 * @throws ApiError `notFound`, `permissionDenied`, `failedPrecondition` for an agent that is no agent process, `unavailable`.
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
    // It went since it was read.
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
    // Another report of this process came in between, unless it is this very one, whose first answer was lost.
    if (heartbeat === undefined || !isDeepStrictEqual(toHeartbeat(heartbeat).processes.get(pmmAgentId), report))
      throw new StaleRead();
    return { heartbeat: toHeartbeat(heartbeat), taken: entries.length - refused.length, refused };
  });
}
