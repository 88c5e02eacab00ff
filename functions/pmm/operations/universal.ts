import { jsonBytesInReply } from '../../../shared/core/reply-size.ts';
import { invalidRequest } from '../../../shared/core/errors.ts';
import type { AgentType } from '../../domain/agent/types.ts';
import { type EntityOf, idOf } from '../../store/entities/entity.ts';
import { getVisibleObject, objectsById } from '../../store/entities/get.ts';
import type { Visible } from '../../store/entities/key-scope.ts';
import { type Heartbeats, readHeartbeats } from '../../store/heartbeats/heartbeat.ts';
import { stateOf, toReplyWith } from '../../store/heartbeats/shown-state.ts';
import { selectAgents } from '../../store/lists/list-agents.ts';
import { selectServices } from '../../store/lists/list-services.ts';
import { internalNames } from '../declarations/agents.ts';
import { enumerations, nameIn } from '../declarations/enums.ts';
import { nodeService, universalAgent, universalNode, universalService } from '../declarations/management.ts';
import type { WireCall, Operation } from '../wire/call.ts';
import { agentInShort } from '../wire/list-message.ts';
import { encode, shown } from '../wire/message.ts';
import { allVisible, listMessage, nodesOf, servicesOf } from './lists.ts';
import { filterId, subjectId } from './objects.ts';

type Agent = Visible<EntityOf<'agent'>>;
type Service = Visible<EntityOf<'service'>>;

/** Agents that are on a node of their own, as PMM sees it: all others are under an agent process. */
const hasNode = ({ object }: Agent) => object.pmm_agent_id === undefined;

const ownAgents: readonly AgentType[] = ['vm_agent', 'nomad_agent'];
const forAllServices: readonly AgentType[] = ['pmm_agent', 'vm_agent'];

const statuses = {
  live: 'STATUS_UP',
  stale: 'STATUS_DOWN',
  offline: 'STATUS_DOWN',
  never_seen: 'STATUS_UNKNOWN',
} as const;

interface Context {
  call: WireCall;
  heartbeats: Heartbeats;
  now: Date;
}

function agentMessage(agent: Agent, { call, heartbeats, now }: Context): Record<string, unknown> {
  const fields = toReplyWith(agent, heartbeats, now);
  const { agent_type: type } = agent.object;
  const status =
    type === 'pmm_agent' || type === 'external_exporter'
      ? ''
      : nameIn(enumerations.agent_status, fields['status'], call.generation);
  const unset = {
    azure_options: null,
    mongo_db_options: null,
    mysql_options: null,
    postgresql_options: null,
    valkey_options: null,
  };
  const message = {
    ...encode(universalAgent, fields, call.generation),
    ...{ agent_type: internalNames[type] ?? type, status, ...unset },
    // PMM states the node of agents that it does not find through their agent process.
    ...(hasNode(agent) ? {} : { runs_on_node_id: '' }),
  };
  return shown(message, call.generation);
}

/**
 * The most bytes of the agents of one service in the list of services, which shows agents for all services of a node with each of
 * them. A service usually has 20,000. Otherwise the agents are shown in short, so that one host does not make the list,
 * which has no pages, too large for all.
 */
const MAX_AGENT_BYTES = 32_000;

/** The agents that run on a node without an agent process above them, or have it as a target; and those of the node itself. */
const isOfNode = (agent: Agent, nodeId: string) =>
  agent.object.insights.node_ids.includes(nodeId) ||
  (agent.object.runs_on_node_id === nodeId && (hasNode(agent) || ownAgents.includes(agent.object.agent_type)));

/** The agents with a service as a target, and those that PMM runs on its node for all services there. */
const isOfService = (agent: Agent, { object }: Service) =>
  agent.object.insights.service_ids.includes(object.service_id) ||
  (agent.object.runs_on_node_id !== undefined &&
    agent.object.runs_on_node_id === object.node_ids[0] &&
    forAllServices.includes(agent.object.agent_type));

const byId = <One extends Agent | Service | EntityOf<'node'>>(all: readonly One[]) =>
  all.toSorted((left, right) => (idOf(left) < idOf(right) ? -1 : 1));

function nodeMessage(
  node: Visible<EntityOf<'node'>>,
  related: { services: readonly Service[]; agents: readonly Agent[] },
  context: Context,
) {
  const { call, heartbeats, now } = context;
  const id = node.object.node_id;
  const nodeAgents = byId(related.agents.filter((agent) => isOfNode(agent, id)));
  const agents = nodeAgents.map((agent) => shown(agentInShort(agentMessage(agent, context)), call.generation));
  const services = byId(related.services)
    .filter(({ object }) => object.node_ids.includes(id))
    .map(({ object }) => encode(nodeService, object, call.generation));
  const message = {
    ...encode(universalNode, node.object, call.generation),
    ...{ status: statuses[stateOf(node, heartbeats, now)], agents, services, is_pmm_server_node: false },
  };
  return shown(message, call.generation);
}

const allAgents = (call: WireCall) =>
  allVisible(call, 'agent', (page) => selectAgents(call.dependencies.table, {}, page));

export const listUniversalNodes: Operation = async (call) => {
  const { table, clock } = call.dependencies;
  const [nodes, agents, services] = await Promise.all([
    nodesOf(call),
    allAgents(call),
    allVisible(call, 'service', (page) => selectServices(table, {}, page)),
  ]);
  const context = { call, heartbeats: await readHeartbeats(table, nodes, false), now: clock() };
  const messages = byId(nodes).map((node) => nodeMessage(node, { services, agents }, context));
  return listMessage(call, 'node', shown({ nodes: messages }, call.generation));
};

export const getUniversalNode: Operation = async (call) => {
  const { table, clock } = call.dependencies;
  const id = subjectId(call, 'node', 'Get');
  const node = await getVisibleObject(table, 'node', id, call.caller().scope);
  const [running, targeting, services] = await Promise.all([
    allVisible(call, 'agent', (page) => selectAgents(table, { runs_on_node_id: id }, page)),
    allVisible(call, 'agent', (page) => selectAgents(table, { node_id: id }, page)),
    allVisible(call, 'service', (page) => selectServices(table, { node_id: id }, page)),
  ]);
  const agents = [...new Map([...running, ...targeting].map((agent) => [agent.object.agent_id, agent])).values()];
  const context = { call, heartbeats: await readHeartbeats(table, [node]), now: clock() };
  return { node: nodeMessage(node, { services, agents }, context) };
};

export const listUniversalServices: Operation = async (call) => {
  const { table, clock } = call.dependencies;
  const [services, agents] = await Promise.all([servicesOf(call), allAgents(call)]);
  const nodes = await objectsById(
    table,
    'node',
    services.flatMap(({ object }) => object.node_ids.slice(0, 1)),
  );
  const context = { call, heartbeats: await readHeartbeats(table, [...services, ...agents], false), now: clock() };
  const messages = byId(services).map((service) => {
    const serviceAgents = byId(agents.filter((agent) => isOfService(agent, service))).map((agent) =>
      agentMessage(agent, context),
    );
    const isLarge = jsonBytesInReply(JSON.stringify(serviceAgents)) > MAX_AGENT_BYTES;
    const message = {
      ...encode(universalService, service.object, call.generation),
      node_name: nodes.get(service.object.node_ids[0] ?? '')?.object.node_name ?? '',
      agents: isLarge ? serviceAgents.map(agentInShort) : serviceAgents,
      status: statuses[stateOf(service, context.heartbeats, context.now)],
    };
    return shown(message, call.generation);
  });
  return listMessage(call, 'service', shown({ services: messages }, call.generation));
};

export const listUniversalAgents: Operation = async (call) => {
  const { table, clock } = call.dependencies;
  const serviceId = filterId(call, 'service', 'service_id');
  const nodeId = filterId(call, 'node', 'node_id');
  if ((serviceId === undefined) === (nodeId === undefined)) {
    const addition = nodeId === undefined ? '.' : ', not both.';
    const message = `Either service_id or node_id is expected${addition}`;
    throw invalidRequest([{ field: '', reason: 'not_allowed', message }]);
  }
  const select = (filters: Parameters<typeof selectAgents>[1]) =>
    allVisible(call, 'agent', (page) => selectAgents(table, filters, page));
  const service =
    serviceId === undefined ? undefined : await getVisibleObject(table, 'service', serviceId, call.caller().scope);
  const place = service === undefined ? nodeId : service.object.node_ids[0];
  const matching = await Promise.all([
    ...(serviceId === undefined ? [] : [select({ service_id: serviceId })]),
    ...(nodeId === undefined ? [] : [select({ node_id: nodeId })]),
    ...(place === undefined ? [] : [select({ runs_on_node_id: place })]),
  ]);
  const isWanted = (agent: Agent) =>
    service === undefined ? isOfNode(agent, place ?? '') : isOfService(agent, service);
  const distinct = new Map(matching.flat().map((agent) => [agent.object.agent_id, agent]));
  const agents = byId([...distinct.values()].filter(isWanted));
  const context = { call, heartbeats: await readHeartbeats(table, agents, false), now: clock() };
  const messages = agents.map((agent) => agentMessage(agent, context));
  return listMessage(call, 'agent', shown({ agents: messages }, call.generation));
};

export const listAgentVersions: Operation = async (call) => {
  const { table } = call.dependencies;
  const agents = await allVisible(call, 'agent', (page) => selectAgents(table, { agent_type: 'pmm_agent' }, page));
  const nodes = await objectsById(
    table,
    'node',
    agents.flatMap(({ object }) => object.runs_on_node_id ?? []),
  );
  return {
    agent_versions: agents.map(({ object }) => ({
      agent_id: object.agent_id,
      version: '',
      node_name: nodes.get(object.runs_on_node_id ?? '')?.object.node_name ?? '',
      severity: 'UPDATE_SEVERITY_UNSPECIFIED',
    })),
  };
};
