import { hash } from 'node:crypto';
import type { AgentType } from '../../domain/agent/types.ts';
import type { NodeType } from '../../domain/node/types.ts';
import { type ObjectKind, objectKinds } from '../../domain/fields/object-kind.ts';
import type { ServiceType } from '../../domain/service/types.ts';
import { items } from './items.ts';
import { byteOf, keyFrom, prefixFrom, textFrom } from './key-parts.ts';

export type { ObjectKind };

const prefixes = { node: 'NODE', service: 'SERVICE', agent: 'AGENT' } as const;

const objectKeys = { node: keyFrom(items.node), service: keyFrom(items.service), agent: keyFrom(items.agent) };

export const objectKey = (kind: ObjectKind, id: string) => objectKeys[kind](id);

/** The id of the object whose item has this key. */
export function idInKey(kind: ObjectKind, { pk }: { pk: string }): string {
  return pk.slice(prefixes[kind].length + 1);
}

const dependentsCounter = keyFrom(items.dependentsCounter);

export const dependentsKey = (kind: ObjectKind, id: string) => dependentsCounter(prefixes[kind], id);

export const FORCED_REMOVALS_PARTITION = items.forcedRemoval.pk;

const forcedRemoval = keyFrom(items.forcedRemoval);

export const forcedRemovalKey = (kind: ObjectKind, id: string) => forcedRemoval(prefixes[kind], id);

/** The object that the forced removal with this sort key removes. */
export function forcedRemovalIn(sk: string): { kind: ObjectKind; id: string } {
  const [prefix = '', id = ''] = sk.split('#');
  const kind = objectKinds.find((candidate) => prefixes[candidate] === prefix);
  if (kind === undefined) throw new Error(`no forced removal: ${sk}`);
  return { kind, id };
}

const jobKeys = {
  cleanup: keyFrom(items.cleanup)(),
  reopening: keyFrom(items.reopening)(),
  indexing: keyFrom(items.indexing)(),
  state_events: keyFrom(items.statePass)(),
  count: keyFrom(items.count)(),
};

/** The jobs that exist once. */
export type SingleJob = keyof typeof jobKeys;

/** The item of such a job: its place, its lease and its state. */
export const jobKey = (job: SingleJob) => jobKeys[job];

// Edges --------------------------------------------------------------------------------------------------------------

/** The relations of an object, with the prefix of the sort keys of their edges. */
export const relations = {
  services: prefixFrom(items.serviceEdge.sk),
  agents: prefixFrom(items.agentEdge.sk),
  insights: prefixFrom(items.insightEdge.sk),
};

export type Relation = keyof typeof relations;

export const serviceEdgeKey = keyFrom(items.serviceEdge);

interface AgentIdentity {
  agent_type: AgentType;
  agent_id: string;
}

/** The prefix of `agentOrder` for all agents of a type. */
export function typeOrder(type: string): string {
  return `${type}#`;
}

/** The sort order of agents in every list: by type, then by id. */
export function agentOrder({ agent_type: type, agent_id: id }: AgentIdentity): string {
  return typeOrder(type) + id;
}

/** Number of different first eight digits of an id. */
const ID_PREFIXES = 2 ** 32;

/**
 * The range of the orders of one of `count` parts of the agents of a type. Ids are random, so equal ranges of them are as
 * even as a hash of them, and an index contains each of these ranges in one piece. The ranges share their ends, which are
 * shorter than an id and so no agent's order.
 */
export function agentOrdersOf(
  type: string,
  { index, count }: { index: number; count: number },
): readonly [from: string, to: string] {
  const end = (part: number) =>
    typeOrder(type) +
    Math.floor((part * ID_PREFIXES) / count)
      .toString(16)
      .padStart(8, '0');
  // The character after that of the separator: the end of the type.
  return [index === 0 ? typeOrder(type) : end(index), index + 1 === count ? `${type}$` : end(index + 1)];
}

const agentEdge = keyFrom(items.agentEdge);

/** @param parent the node it runs on, or the pmm_agent it runs under. */
export function agentEdgeKey(parent: 'node' | 'agent', parentId: string, agent: AgentIdentity) {
  return agentEdge(prefixes[parent], parentId, agent.agent_type, agent.agent_id);
}

const insightEdge = keyFrom(items.insightEdge);

export function insightEdgeKey(target: 'node' | 'service', targetId: string, agent: AgentIdentity) {
  return insightEdge(prefixes[target], targetId, agent.agent_type, agent.agent_id);
}

// Claims and label index ---------------------------------------------------------------------------------------------

export const nodeNameClaim = keyFrom(items.nodeName);
export const serviceNameClaim = keyFrom(items.serviceName);
const namePrefixes = [prefixFrom(items.nodeName.pk), prefixFrom(items.serviceName.pk)];
/** Whether the key is that of the claim of a name. */
export const isNameClaim = ({ pk }: { pk?: unknown }) =>
  typeof pk === 'string' && namePrefixes.some((prefix) => pk.startsWith(prefix));
export const nodeAddressClaim = keyFrom(items.nodeAddress);
export const containerClaim = keyFrom(items.container);
export const agentKeyClaim = keyFrom(items.agentKey);

const listPartitions = { node: 'NODES', service: 'SERVICES', agent: 'AGENTS' } as const;

/** DynamoDB limits a partition key to 2,048 bytes, and a value may have 4,096. 256 keeps a label index entry small. */
const MAX_INDEXED_VALUE_BYTES = 256;

const labelPartition = textFrom(items.labelEntry.pk);

export function labelIndexPartition(kind: ObjectKind, label: string, value: string): string {
  const isShort = Buffer.byteLength(value) <= MAX_INDEXED_VALUE_BYTES;
  // Lists check the object itself as well, so a hash collision does no harm.
  const shown = isShort ? value : `sha256:${hash('sha256', value)}`;
  return labelPartition(listPartitions[kind], label, shown);
}

/** The partition of `by_name` in which the entries of clusters are. */
export const CLUSTERS_PARTITION = 'CLUSTERS';

/** Separates the name of a cluster from the id of its service. No text has control characters, so names keep their order. */
const CLUSTER_END = '\u0001';

/** The attributes that add the label index entry of the cluster of a service to the list of clusters. */
export const clusterAttributes = (cluster: string, serviceId: string) => ({
  list_pk: CLUSTERS_PARTITION,
  list_sk: cluster + CLUSTER_END + serviceId,
});

/** The name of the cluster in an entry of the list of clusters. */
export const clusterIn = (order: string): string => order.slice(0, order.indexOf(CLUSTER_END));

/** The beginning of the list of clusters after this one. */
export const afterCluster = (cluster: string): string => `${cluster}\u0002`;

/** The key of the claim of a name, by the kind of its owner. */
export const nameClaims = { node: nodeNameClaim, service: serviceNameClaim };

/** The attributes that add the claim of a name to the list of the objects with an address. */
export const addressAttributes = (kind: keyof typeof nameClaims, address: string, name: string) => ({
  list_pk: labelIndexPartition(kind, 'address', address),
  list_sk: name,
});

const overflow = textFrom(items.overflowEntry.pk);

/** The partition of the objects with more labels than are indexed. */
export const overflowPartition = (kind: ObjectKind) => overflow(listPartitions[kind]);

const unplaced = textFrom(items.unplacedEntry.pk);

/**
 * The partition of the services, or agents, that are on no node and so in no node's collection. No label has this name.
 */
export const unplacedPartition = (kind: 'service' | 'agent') => unplaced(listPartitions[kind]);

// Heartbeats ---------------------------------------------------------------------------------------------------------

/**
 * Number of partitions for heartbeats; DynamoDB writes 1,000 reports a second to each. Fixed: the partition of a node
 * follows from its id. A request for states reads all of them in parallel.
 */
const HEARTBEAT_SHARDS = 16;

const heartbeat = keyFrom(items.heartbeat);

export const heartbeatPartitions: readonly string[] = Array.from(
  { length: HEARTBEAT_SHARDS },
  (_, shard) => heartbeat(shard.toString(16), '').pk,
);

export const heartbeatKey = (nodeId: string) => heartbeat((byteOf(nodeId) % HEARTBEAT_SHARDS).toString(16), nodeId);

export const groupTimesKey = keyFrom(items.groupTimes);

export const groupMembersKey = keyFrom(items.groupMembers);

/** The prefix of the attributes of a heartbeat that belong to a process. */
const PROCESS = 'process#';

export const processAttribute = (pmmAgentId: string) => `${PROCESS}${pmmAgentId}`;

/** The id of the process that an attribute of a heartbeat belongs to; undefined for other attributes. */
export function processIn(attribute: string): string | undefined {
  return attribute.startsWith(PROCESS) ? attribute.slice(PROCESS.length) : undefined;
}

// Indexes ------------------------------------------------------------------------------------------------------------

export function listPartition(kind: ObjectKind): string {
  return listPartitions[kind];
}

export function typePartition(kind: 'node' | 'service', type: string): string {
  return `${listPartitions[kind]}#${type}`;
}

/** The attributes that add an object to the indexes. */
export const indexAttributes = {
  node: (node: { node_name: string; node_type: NodeType }) => ({
    list_pk: listPartitions.node,
    type_pk: typePartition('node', node.node_type),
    list_sk: node.node_name,
  }),
  service: (service: { service_name: string; service_type: ServiceType }) => ({
    list_pk: listPartitions.service,
    type_pk: typePartition('service', service.service_type),
    list_sk: service.service_name,
  }),
  agent: (agent: AgentIdentity) => ({ list_pk: listPartitions.agent, list_sk: agentOrder(agent) }),
};

/**
 * The ranges of `by_name` that together contain every object, in an order in which no object precedes one that it
 * refers to: pmm_agents, in the middle of the agents, precede the other agents. Type names consist of a-z and _.
 */
export const everyObject: readonly { kind: ObjectKind; between?: readonly [from: string, to: string] }[] = [
  { kind: 'node' },
  { kind: 'service' },
  { kind: 'agent', between: ['pmm_agent#', 'pmm_agent$'] },
  { kind: 'agent', between: ['a', 'pmm_agent'] },
  { kind: 'agent', between: ['pmm_agent$', '~'] },
];
