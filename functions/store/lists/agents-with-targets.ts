import { Contention } from '../../../shared/db/contention.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { AgentType } from '../../domain/agent/types.ts';
import { typeOrder } from '../table/keys.ts';
import { allPages, readById } from './pages.ts';
import type { Agent, Node, Service, Entity } from '../entities/entity.ts';

/** Agents, and every node and service that they refer to. */
export interface AgentsWithTargets {
  agents: Agent[];
  nodes: ReadonlyMap<string, Node>;
  services: ReadonlyMap<string, Service>;
}

/**
 * A page of an index is 1 MB at most, which costs so many units; a batch read costs one for each object.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
const PAGE_UNITS = 128;

/** How often agents whose nodes or services have just gone are read again. */
const MAX_ROUNDS = 5;

interface Known {
  nodes: Map<string, Node>;
  services: Map<string, Service>;
}

function keep({ nodes, services }: Known, entity: Entity): void {
  if (entity.kind === 'node') nodes.set(entity.object.node_id, entity.object);
  if (entity.kind === 'service') services.set(entity.object.service_id, entity.object);
}

async function agentsOfType(table: Table, type: AgentType): Promise<Agent[]> {
  const agents: Agent[] = [];
  for await (const page of allPages(table, 'agent', typeOrder(type)))
    agents.push(...page.flatMap((entity) => (entity.kind === 'agent' ? [entity.object] : [])));
  return agents;
}

/**
 * Adds the objects with these ids to what is known, as far as they are there. Page by page from the list of all as long as
 * that is the cheaper way, the rest in strongly consistent batches: an index that lags behind hides nothing.
 */
async function learn(table: Table, kind: 'node' | 'service', ids: Iterable<string>, known: Known): Promise<void> {
  const there = kind === 'node' ? known.nodes : known.services;
  const missing = new Set([...ids].filter((id) => !there.has(id)));
  if (missing.size > PAGE_UNITS) {
    for await (const page of allPages(table, kind)) {
      const before = missing.size;
      for (const entity of page) {
        const id =
          entity.kind === 'node' ? entity.object.node_id : entity.kind === 'service' && entity.object.service_id;
        if (typeof id !== 'string' || !missing.delete(id)) continue;
        keep(known, entity);
      }
      if (missing.size <= PAGE_UNITS || before - missing.size < PAGE_UNITS) break;
    }
  }
  for (const entity of (await readById(table, kind, [...missing])).values()) keep(known, entity);
}

/** The nodes and services of an agent: what it runs on, what it gives insight into; runs it nowhere, where those run. */
function referencesOf({ runs_on_node_id: nodeId, insights }: Agent, { services }: Known) {
  const own = nodeId === undefined ? [] : [nodeId];
  const isPlaced = own.length + insights.node_ids.length > 0;
  const behind = isPlaced ? [] : insights.service_ids.flatMap((id) => services.get(id)?.node_ids ?? []);
  return { nodeIds: [...own, ...insights.node_ids, ...behind], serviceIds: insights.service_ids };
}

/**
 * Which agents of these types are there, and with which nodes and services? By type, then id. Complete, as of about now:
 * indexes are eventually consistent. No reference dangles: where one seems to, its agent is read again, strongly
 * consistent, and left out only if it is gone.
 *
 * @throws Contention when objects go faster than they can be read.
 */
export async function readAgentsWithTargets(table: Table, types: readonly AgentType[]): Promise<AgentsWithTargets> {
  let agents = (await Promise.all(types.map((type) => agentsOfType(table, type)))).flat();
  const known: Known = { nodes: new Map(), services: new Map() };
  let open = agents;
  for (let round = 0; ; round += 1) {
    const direct = open.map((agent) => referencesOf(agent, known));
    await Promise.all([
      learn(
        table,
        'node',
        direct.flatMap(({ nodeIds }) => nodeIds),
        known,
      ),
      learn(
        table,
        'service',
        direct.flatMap(({ serviceIds }) => serviceIds),
        known,
      ),
    ]);
    // Only now it is known where the services of agents without a place run.
    await learn(
      table,
      'node',
      open.flatMap((agent) => referencesOf(agent, known).nodeIds),
      known,
    );
    const dangling = open.filter((agent) => {
      const { nodeIds, serviceIds } = referencesOf(agent, known);
      return !nodeIds.every((id) => known.nodes.has(id)) || !serviceIds.every((id) => known.services.has(id));
    });
    if (dangling.length === 0) return { agents, ...known };
    if (round === MAX_ROUNDS) throw new Contention('references of agents keep dangling');
    // The services may say something else by now, also to other agents of theirs.
    const doubtful = new Set(dangling.flatMap(({ insights }) => insights.service_ids));
    for (const id of doubtful) known.services.delete(id);
    const again = await readById(
      table,
      'agent',
      dangling.map(({ agent_id: id }) => id),
    );
    const gone = new Set(dangling.map(({ agent_id: id }) => id).filter((id) => !again.has(id)));
    agents = agents
      .filter(({ agent_id: id }) => !gone.has(id))
      .map((agent) => {
        const fresh = again.get(agent.agent_id);
        return fresh?.kind === 'agent' ? fresh.object : agent;
      });
    open = agents.filter(
      ({ agent_id: id, insights }) => again.has(id) || insights.service_ids.some((service) => doubtful.has(service)),
    );
  }
}
