import { Contention } from '../../../shared/db/contention.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { Requirement } from '../../../shared/selector/requirement.ts';
import type { AgentType } from '../../domain/agent/types.ts';
import type { Shard } from '../../domain/discovery/shard.ts';
import { agentOrdersOf } from '../table/keys.ts';
import { objectsById } from '../entities/get.ts';
import { referencesOf } from '../entities/derived-items.ts';
import { readHeartbeatRange, readHeartbeats } from '../heartbeats/heartbeat.ts';
import { reportedPorts } from '../heartbeats/shown-state.ts';
import { HeldObjects } from './held-objects.ts';
import { allPages } from './pages.ts';
import { objectsByListOrId, WORTH_A_PAGE } from './read-many.ts';
import { type Agent, type Node, orderOf, type Service, type Entity } from '../entities/entity.ts';
import { agentsByLabels } from './agents-by-labels.ts';

/** Agents, with every node and service that they refer to. */
export interface AgentsWithTargets {
  agents: Agent[];
  nodes: ReadonlyMap<string, Node>;
  services: ReadonlyMap<string, Service>;
  /** Of agents without a declared port: the port that their agent process reported last, by the id of the agent. */
  reportedPorts: ReadonlyMap<string, number>;
}

/**
 * The largest number of shards with which lists are read. The agents of a node are in different shards, so that in one
 * of more shards a page contains too few of its nodes and services.
 */
const MAX_SHARDS_BY_LIST = 8;

/** How often agents are read again whose nodes or services have just been removed. */
const MAX_ROUNDS = 5;

/** How nodes and services are read. */
interface Reading {
  byList: boolean;
  /** Of batches. */
  isConsistent: boolean;
}

/** Nodes and services that were read, by their ids. */
export interface ReferenceCache {
  nodes: Map<string, Node>;
  services: Map<string, Service>;
}

/** As `ReferenceCache`, for a reply over all objects: counts bytes. */
interface HeldCache extends ReferenceCache {
  held: HeldObjects;
}

export function keep({ nodes, services }: ReferenceCache, entity: Entity): void {
  if (entity.kind === 'node') nodes.set(entity.object.node_id, entity.object);
  if (entity.kind === 'service') services.set(entity.object.service_id, entity.object);
}

function isInShard(object: Agent, shard: Shard): boolean {
  const [from, to] = agentOrdersOf(object.agent_type, shard);
  const order = orderOf({ kind: 'agent', object });
  return order >= from && order < to;
}

async function agentsOfType(table: Table, type: AgentType, shard: Shard, held: HeldObjects): Promise<Agent[]> {
  const agents: Agent[] = [];
  for await (const page of allPages(table, 'agent', agentOrdersOf(type, shard)))
    agents.push(...page.flatMap((entity) => (entity.kind === 'agent' ? [held.hold(entity).object] : [])));
  return agents;
}

/** Adds the objects with these ids to `cache`; missing ones are left out. */
async function learn(
  table: Table,
  kind: 'node' | 'service',
  ids: Iterable<string>,
  cache: HeldCache,
  how: Reading,
): Promise<void> {
  const there = kind === 'node' ? cache.nodes : cache.services;
  const missing = [...ids].filter((id) => !there.has(id));
  for await (const part of objectsByListOrId(table, kind, missing, how))
    for (const entity of part) keep(cache, cache.held.hold(entity));
}

/**
 * The nodes and services of an agent: its own node and its targets; for an agent without a node, the nodes of its
 * services.
 */
export function referencesWithNodes(agent: Agent, { services }: Pick<ReferenceCache, 'services'>) {
  const { nodeIds, serviceIds } = referencesOf(agent);
  const behind = nodeIds.length > 0 ? [] : serviceIds.flatMap((id) => services.get(id)?.node_ids ?? []);
  return { nodeIds: [...nodeIds, ...behind], serviceIds };
}

/** Adds the nodes and services of these agents to `cache`. */
async function learnReferences(table: Table, agents: readonly Agent[], cache: HeldCache, how: Reading): Promise<void> {
  const direct = agents.map((agent) => referencesWithNodes(agent, cache));
  const nodeIds = direct.flatMap((references) => references.nodeIds);
  const serviceIds = direct.flatMap((references) => references.serviceIds);
  await Promise.all([learn(table, 'node', nodeIds, cache, how), learn(table, 'service', serviceIds, cache, how)]);
  // The nodes of the services of agents without a node are known only now.
  const behind = agents.flatMap((agent) => referencesWithNodes(agent, cache).nodeIds);
  await learn(table, 'node', behind, cache, how);
}

/**
 * The nodes and services of these agents as far as eventually consistent batch reads show them: half a unit for 4 KB of
 * each.
 *
 * @throws MemoryLimitError.
 */
export async function readReferencesOf(
  table: Table,
  agents: readonly Agent[],
  held = new HeldObjects(),
): Promise<ReferenceCache> {
  const cache = { nodes: new Map<string, Node>(), services: new Map<string, Service>(), held };
  await learnReferences(table, agents, cache, { byList: false, isConsistent: false });
  return cache;
}

/** Whether the port of an agent is the reported one, because none is declared. */
const needsReportedPort = ({ disabled, pmm_agent_id: processId, listen_port: port }: Agent): boolean =>
  !disabled && processId !== undefined && port === undefined;

/** Heartbeats of each partition in one round: about 300 units together. */
const HEARTBEATS_AT_ONCE = 500;

/** 26 heartbeats take one unit in a query, two take one in a batch. */
const HEARTBEATS_WORTH_A_WALK = 10;

async function allReportedPorts(table: Table): Promise<Map<string, number>> {
  const ports = new Map<string, number>();
  let after: string | undefined;
  do {
    const { heartbeats, reach } = await readHeartbeatRange(table, after, HEARTBEATS_AT_ONCE);
    // Only the ports are kept: a fleet has many heartbeats.
    for (const [id, port] of reportedPorts(heartbeats)) ports.set(id, port);
    after = reach;
  } while (after !== undefined);
  return ports;
}

/**
 * The reported ports of those agents that have no declared one. Nothing is read if all have one. Otherwise the
 * heartbeats of their nodes are read by key, or all heartbeats where that is cheaper. Eventually consistent.
 */
async function portsOf(
  table: Table,
  agents: readonly Agent[],
  isWhole: boolean,
): Promise<AgentsWithTargets['reportedPorts']> {
  const open = agents.filter(needsReportedPort);
  const hostsOf = (some: readonly Agent[]) => new Set(some.flatMap(({ runs_on_node_id: id }) => id ?? [])).size;
  const hosts = hostsOf(open);
  const isWalk = isWhole && hosts > WORTH_A_PAGE && hosts * HEARTBEATS_WORTH_A_WALK > hostsOf(agents);
  if (isWalk) return allReportedPorts(table);
  const heartbeats = await readHeartbeats(
    table,
    open.map((object) => ({ kind: 'agent', object })),
    false,
  );
  return reportedPorts(heartbeats.values());
}

/** The agents with their references. Those that were removed in the meantime are left out. */
async function withReferences(
  table: Table,
  all: readonly Agent[],
  isWhole: boolean,
  held: HeldObjects,
): Promise<Omit<AgentsWithTargets, 'reportedPorts'>> {
  let agents = [...all];
  const cache = { nodes: new Map<string, Node>(), services: new Map<string, Service>(), held };
  let open = agents;
  for (let round = 0; ; round += 1) {
    const isAgain = round > 0;
    await learnReferences(table, open, cache, { byList: isWhole && !isAgain, isConsistent: isAgain });
    const dangling = open.filter((agent) => {
      const { nodeIds, serviceIds } = referencesWithNodes(agent, cache);
      return !nodeIds.every((id) => cache.nodes.has(id)) || !serviceIds.every((id) => cache.services.has(id));
    });
    if (dangling.length === 0) return { agents, nodes: cache.nodes, services: cache.services };
    if (round === MAX_ROUNDS) throw new Contention('references of agents keep dangling');
    // The services may have changed, which also affects other agents that watch them.
    const doubtful = new Set(dangling.flatMap(({ insights }) => insights.service_ids));
    for (const id of doubtful) cache.services.delete(id);
    const danglingIds = dangling.map(({ agent_id: id }) => id);
    const again = await objectsById(table, 'agent', danglingIds);
    const gone = new Set(danglingIds.filter((id) => !again.has(id)));
    agents = agents
      .filter(({ agent_id: id }) => !gone.has(id))
      .map((agent) => {
        const entity = again.get(agent.agent_id);
        return entity === undefined ? agent : held.hold(entity).object;
      });
    open = agents.filter(
      ({ agent_id: id, insights }) => again.has(id) || insights.service_ids.some((service) => doubtful.has(service)),
    );
  }
}

/** The parts of the agents that are read. */
interface AgentSelection {
  /** The labels that their targets must have: others may be left out. */
  requirements?: readonly Requirement[];
  shard?: Shard | undefined;
  held?: HeldObjects;
}

/**
 * The agents of these types by type, then by id, with their nodes and services; of a shard, only its part of the agents
 * is read, and of labels that few objects have, only the agents of these objects. Complete, but eventually consistent. No reference dangles: an agent whose reference cannot be found is read
 * again with what it refers to, strongly consistent, and left out only if it was removed.
 *
 * @param held cuts labels that no target shows, and limits the bytes of all objects.
 * @throws Contention when objects are removed faster than they can be read.
 * @throws MemoryLimitError.
 */
export async function readAgentsWithTargets(
  table: Table,
  types: readonly AgentType[],
  { requirements = [], shard, held = new HeldObjects() }: AgentSelection = {},
): Promise<AgentsWithTargets> {
  const ofLabels = await agentsByLabels(table, types, requirements);
  const part = shard ?? { index: 0, count: 1 };
  const agents =
    ofLabels
      ?.filter((agent) => shard === undefined || isInShard(agent, shard))
      .map((object) => held.hold({ kind: 'agent', object }).object) ??
    (await Promise.all(types.map((type) => agentsOfType(table, type, part, held)))).flat();
  const isWhole = ofLabels === undefined && part.count <= MAX_SHARDS_BY_LIST;
  const [ports, read] = await Promise.all([
    portsOf(table, agents, isWhole),
    withReferences(table, agents, isWhole, held),
  ]);
  return { ...read, reportedPorts: ports };
}
