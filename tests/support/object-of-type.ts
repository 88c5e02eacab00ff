import { type AgentType, agentTypeEntry, agentTypes } from '../../functions/domain/agent/types.ts';
import { type NodeType, nodeTypes, nodeTypeTable } from '../../functions/domain/node/types.ts';
import { type ServiceType, serviceTypes, serviceTypeTable } from '../../functions/domain/service/types.ts';

/** Every type of object, with its kind. */
export const everyType = [
  ...nodeTypes.map((type) => ({ kind: 'node' as const, type })),
  ...serviceTypes.map((type) => ({ kind: 'service' as const, type })),
  ...agentTypes.map((type) => ({ kind: 'agent' as const, type })),
];

type Add = (path: string, body: object) => Promise<{ status: number; body: any }>;

/** Values of the options that a type requires. */
const values: Record<string, unknown> = {
  region: 'r',
  listen_port: 42_000,
  collector_name: 'collector',
  azure_database_resource_type: 'mysql',
};

const required = (names: readonly string[] = []) => Object.fromEntries(names.map((name) => [name, values[name]]));

let number = 0;
const newName = () => `of-type-${(number += 1)}`;

const node = (type: NodeType) => ({
  ...{ node_type: type, node_name: newName(), address: newName() },
  ...required(nodeTypeTable[type].required),
});

const service = (type: ServiceType) => ({
  ...{ service_type: type, service_name: newName() },
  ...((serviceTypeTable[type].options as readonly string[]).includes('address') ? { address: 'a', port: 1 } : {}),
});

/** Adds an agent with a target of each kind that it needs, on a host of its own. */
async function addAgent(add: Add, type: AgentType) {
  const entry = agentTypeEntry(type);
  const { node_id: host } = (await add('/v1/nodes', node('generic'))).body;
  const processBody = { agent_type: 'pmm_agent', runs_on_node_id: host };
  const place =
    entry.place === 'pmm_agent'
      ? { pmm_agent_id: (await add('/v1/agents', processBody)).body.agent_id }
      : { runs_on_node_id: host };
  const [serviceType] = entry.services;
  const [nodeType] = entry.nodes;
  const service_ids = serviceType && [(await add('/v1/services', service(serviceType))).body.service_id];
  const node_ids = serviceType === undefined && nodeType && [(await add('/v1/nodes', node(nodeType))).body.node_id];
  const insights = { ...(service_ids && { service_ids }), ...(node_ids && { node_ids }) };
  const targets = Object.keys(insights).length === 0 ? {} : { insights };
  return add('/v1/agents', { agent_type: type, ...place, ...targets, ...required(entry.required) });
}

/** Adds an object of a type, and all that it needs. @returns the status of the add. */
export async function addOfType(add: Add, added: (typeof everyType)[number]): Promise<number> {
  if (added.kind === 'node') return (await add('/v1/nodes', node(added.type))).status;
  if (added.kind === 'service') return (await add('/v1/services', service(added.type))).status;
  return (await addAgent(add, added.type)).status;
}
