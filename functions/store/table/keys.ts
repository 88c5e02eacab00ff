import { createHash } from 'node:crypto';
import type { AgentType } from '../../domain/agent/types.ts';
import type { NodeType } from '../../domain/node/types.ts';
import { CHANGE_DAYS } from '../../domain/records/retention.ts';
import type { ServiceType } from '../../domain/service/types.ts';

/**
 * The item table. One table, two indexes; every key of it is built here and nowhere else.
 *
 * | item            | pk                      | sk                     | what it is, and the question it answers
 * |-----------------|-------------------------|------------------------|------------------------------------------------------
 * | node            | NODE#<id>               | NODE                   | the node as shown; get by id
 * | service         | SERVICE#<id>            | SERVICE                | the service as shown
 * | agent           | AGENT#<id>              | AGENT                  | the agent as shown
 * | guard           | NODE#, SERVICE#, AGENT# | GUARD                  | of a node, a service or a pmm_agent: its type, how many
 * |                 |                         |                        | depend on it by kind, and whether it is being removed.
 * |                 |                         |                        | Adds and removals of dependants write here, so that the
 * |                 |                         |                        | object itself, its revision and its index entries rest
 * | edge            | NODE#<id>               | SERVICE#<name>         | a service runs on this node
 * | edge            | NODE#<id>               | AGENT#<type>#<id>      | an agent runs on this node
 * | edge            | AGENT#<id>              | AGENT#<type>#<id>      | an agent runs under this pmm_agent
 * | edge            | NODE#<id>, SERVICE#<id> | INSIGHT#<type>#<id>    | an agent gives insight into this node or service
 * | claim           | NODE_NAME#<name>, SERVICE_NAME#<name>, NODE_ADDRESS#<region>#<address>, CONTAINER#<id>, AGENT_KEY#<sha256 of key>
 * |                 |                         | CLAIM                  | something unique is taken, and by whom (`owner_id`)
 * | facet           | NODES#, SERVICES#, AGENTS#<label>#<value>
 * |                 |                         | <name> (agents:        | an object with this value of a label or of an attribute
 * |                 |                         | <type>#<id>)           | (`object_id`): lists by selector read what they return,
 * |                 |                         |                        | however rare it is. A long value is hashed
 * | facet of more   | NODES#*, SERVICES#*, AGENTS#*
 * |                 |                         | the same               | an object with more labels than have a facet
 * | heartbeat       | HEARTBEATS#<shard>      | <node id>              | of every node: when each of its agent processes last
 * |                 |                         |                        | reported, and what; whose state depends on it. All of
 * |                 |                         |                        | them together are what lists by state are made of
 * | facet of none   | SERVICES#@, AGENTS#@    | the same               | a service or an agent that is on no node
 * | key             | KEY#<sha256 of key>     | KEY                    | an API key or a session: authorise, one strong read
 * | key by name     | API_KEYS                | KEY#<name>             | list of API keys; names are unique because of it
 * |                 |                         |                        | (after a rotation: an item for the new key, one for each
 * |                 |                         |                        | that it takes the place of and that still works)
 * | key by id       | KEY_ID#<id>             | KEY_ID                 | which key (by hash) an id stands for, and before that
 * | key counter     | API_KEYS                | COUNTER                | how many there are, how many of them belong to a node, and
 * |                 |                         |                        | how many never expire and are Admin's
 * | open sessions   | SESSIONS                | <user>#<number>        | one of the hundred places that a user has for open sessions:
 * |                 |                         |                        | which session has it; the list of sessions
 * | password mark   | SESSIONS                | <user>#                | since when the user has the present password, where the
 * |                 |                         |                        | service itself has set it
 * | requests        | RATE#<key id>#<minute>  | RATE                   | how many requests a key with a limit made in a minute
 * | token           | ENROLMENT#<sha256>      | ENROLMENT              | an enrolment token; is there until it is used
 * | token by id     | ENROLMENT_TOKENS        | TOKEN#<id>             | the list of enrolment tokens; which token an id stands for
 * | account         | ACCOUNT#<name>          | ACCOUNT                | a user, with the hash of the password
 * | change          | CHANGE#<shard>           | <time>-<transaction>-<index>
 * |                 |                         |                        | one change of one object: who made it, when, before and
 * |                 |                         |                        | after; the change feed, and, from one to the one before it,
 * |                 |                         |                        | the history of an object
 * | removal         | REMOVALS                | <time and name>#<part> | what went in one transaction of a removal, by its
 * |                 |                         |                        | changes; what was removed and can be restored
 * | forced removal  | FORCED_REMOVALS         | NODE#, SERVICE#, AGENT#<id>
 * |                 |                         |                        | a forced removal of an object in several transactions that
 * |                 |                         |                        | has begun and has not finished: who asked for it, and when
 * | access event    | AUDIT#ACCESS            | <time><six letters and digits>
 * |                 |                         |                        | who added, changed, rotated, used or removed a key, a token
 * |                 |                         |                        | or a session, and when
 * | refusals        | AUDIT#REFUSED           | <minute><digest>       | how many calls were refused in a minute: whose, from where,
 * |                 |                         |                        | and why (the digest is of these)
 * | request         | IDEMPOTENCY#<caller>#<sha256 of key> | REQUEST   | an add or an atomic batch that took effect under an Idempotency-Key,
 *                                                                | with its answer
 * | reconciliation  | RECONCILIATION#<id>     | RECONCILIATION         | what is to be there within a scope, and how far it is: plans
 * |                 |                         |                        | that can be applied, and what one request was too short for
 * | part            | RECONCILIATION#<id>     | PART#<number>          | a part of the compressed text of what is to be there
 * | secret          | SECRET#PAGE_TOKEN       | SECRET                 | what page tokens are signed with
 * | write check     | WRITE_CHECK             | WRITE_CHECK            | on one machine: written to see whether the disk takes it
 *
 * Indexes (eventually consistent, whole objects; they serve lists only, never a decision):
 * by_name: list_pk NODES, SERVICES, AGENTS + list_sk name (agents: type, then id)
 * by_type: type_pk NODES#<type>, SERVICES#<type> + list_sk name
 */
export const indexes = {
  byName: { name: 'by_name', partitionKey: 'list_pk', sortKey: 'list_sk' },
  byType: { name: 'by_type', partitionKey: 'type_pk', sortKey: 'list_sk' },
} as const;

/** A key as one text. */
export const nameOfKey = ({ pk, sk }: { pk?: unknown; sk?: unknown }) => JSON.stringify([pk, sk]);

export const tableKey = { partitionKey: 'pk', sortKey: 'sk' } as const;

/** Attribute with the time (seconds since 1970) from which DynamoDB may delete the item; up to days late, so code checks too. */
export const TTL_ATTRIBUTE = 'ttl';

/** How long changes are kept, and whatever else is in the audit, in seconds. */
export const CHANGE_SECONDS = CHANGE_DAYS * 86_400;

/** Attributes that belong to the table and not to the object. */
export const tableAttributes: ReadonlySet<string> = new Set([
  tableKey.partitionKey,
  tableKey.sortKey,
  indexes.byName.partitionKey,
  indexes.byType.partitionKey,
  indexes.byName.sortKey,
]);

export const objectKinds = ['node', 'service', 'agent'] as const;

export type ObjectKind = (typeof objectKinds)[number];

const prefixes = { node: 'NODE', service: 'SERVICE', agent: 'AGENT' } as const;

function collection(kind: ObjectKind, id: string): string {
  return `${prefixes[kind]}#${id}`;
}

export function objectKey(kind: ObjectKind, id: string) {
  return { pk: collection(kind, id), sk: prefixes[kind] };
}

export function dependentsKey(kind: ObjectKind, id: string) {
  return { pk: collection(kind, id), sk: 'GUARD' };
}

/** The parts of a compound key must not run into each other: `#` is written %23, and % itself %25. */
function part(value: string): string {
  return value.replaceAll('%', '%25').replaceAll('#', '%23');
}

export const FORCED_REMOVALS_PARTITION = 'FORCED_REMOVALS';

export function forcedRemovalKey(kind: ObjectKind, id: string) {
  return { pk: FORCED_REMOVALS_PARTITION, sk: collection(kind, id) };
}

/** Which object the forced removal with this sort key removes. */
export function forcedRemovalIn(sk: string): { kind: ObjectKind; id: string } {
  const [prefix = '', id = ''] = sk.split('#');
  const kind = objectKinds.find((one) => prefixes[one] === prefix);
  if (kind === undefined) throw new Error(`no forced removal: ${sk}`);
  return { kind, id };
}

// Edges --------------------------------------------------------------------------------------------------------------

/** Relations that a collection holds, by what its edges' sort keys start with. */
export const relations = { services: 'SERVICE#', agents: 'AGENT#', insights: 'INSIGHT#' } as const;

export type Relation = keyof typeof relations;

export function serviceEdgeKey(nodeId: string, serviceName: string) {
  return { pk: collection('node', nodeId), sk: `${relations.services}${serviceName}` };
}

interface AgentIdentity {
  agent_type: AgentType;
  agent_id: string;
}

/** What the order of all agents of a type starts with. */
export function typeOrder(type: string): string {
  return `${type}#`;
}

/** How agents are ordered in every list: by type, then id. */
export function agentOrder({ agent_type: type, agent_id: id }: AgentIdentity): string {
  return typeOrder(type) + id;
}

/** @param parent the node it runs on, or the pmm_agent it runs under. */
export function agentEdgeKey(parent: 'node' | 'agent', parentId: string, agent: AgentIdentity) {
  return { pk: collection(parent, parentId), sk: `${relations.agents}${agentOrder(agent)}` };
}

export function insightEdgeKey(target: 'node' | 'service', targetId: string, agent: AgentIdentity) {
  return { pk: collection(target, targetId), sk: `${relations.insights}${agentOrder(agent)}` };
}

// Claims and facets --------------------------------------------------------------------------------------------------

const claim = (pk: string) => ({ pk, sk: 'CLAIM' });

export const nodeNameClaim = (name: string) => claim(`NODE_NAME#${name}`);
export const serviceNameClaim = (name: string) => claim(`SERVICE_NAME#${name}`);
export const nodeAddressClaim = (region: string, address: string) => claim(`NODE_ADDRESS#${part(region)}#${address}`);
export const containerClaim = (containerId: string) => claim(`CONTAINER#${containerId}`);

/** @param digest of type, place and targets: see agent-key.ts. Only agents that were registered by their key have one. */
export const agentKeyClaim = (digest: string) => claim(`AGENT_KEY#${digest}`);

const listPartitions = { node: 'NODES', service: 'SERVICES', agent: 'AGENTS' } as const;

/** A partition key ends at 2,048 bytes, a value at 4,096; and a facet is to stay a small item. */
const MAX_FACET_VALUE_BYTES = 256;

/** @param label a label name, which has no `#`. */
export function labelIndexPartition(kind: ObjectKind, label: string, value: string): string {
  const isShort = Buffer.byteLength(value) <= MAX_FACET_VALUE_BYTES;
  // Lists look at the object itself as well: whatever else falls into the partition of a hash does no harm.
  const shown = isShort ? value : `sha256:${createHash('sha256').update(value).digest('hex')}`;
  return `${listPartitions[kind]}#${label}#${shown}`;
}

/** Names the objects that have more labels than have a facet. */
export function overflowPartition(kind: ObjectKind): string {
  return `${listPartitions[kind]}#*`;
}

/** Names the services, or the agents, that are on no node: of all others, a node's collection knows. No label is named so. */
export function unplacedPartition(kind: 'service' | 'agent'): string {
  return `${listPartitions[kind]}#@`;
}

// Heartbeats ---------------------------------------------------------------------------------------------------------

/**
 * Partitions that heartbeats are spread over, each good for 1,000 reports a second. Fixed: a node's place follows from its
 * id, and all of them are read at once by whoever asks for a state.
 */
const HEARTBEAT_SHARDS = 16;

const heartbeatPartition = (shard: number) => `HEARTBEATS#${shard.toString(16)}`;

export const heartbeatPartitions: readonly string[] = Array.from({ length: HEARTBEAT_SHARDS }, (_, shard) =>
  heartbeatPartition(shard),
);

export function heartbeatKey(nodeId: string) {
  const [byte = 0] = createHash('sha256').update(nodeId).digest();
  return { pk: heartbeatPartition(byte % HEARTBEAT_SHARDS), sk: nodeId };
}

/** The attribute of a heartbeat that is a process's own. */
const PROCESS = 'process#';

export const processAttribute = (pmmAgentId: string) => `${PROCESS}${pmmAgentId}`;

/** The process that an attribute of a heartbeat belongs to; undefined for any other attribute. */
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

/** The attributes that put an object into the indexes. */
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
 * Every object, partition by partition of `by_name`, none before what it refers to: agents run under pmm_agents, which lie
 * in the middle of their list. No type has a character outside of a-z and _.
 */
export const everyObject: readonly { kind: ObjectKind; between?: readonly [from: string, to: string] }[] = [
  { kind: 'node' },
  { kind: 'service' },
  { kind: 'agent', between: ['pmm_agent#', 'pmm_agent$'] },
  { kind: 'agent', between: ['a', 'pmm_agent'] },
  { kind: 'agent', between: ['pmm_agent$', '~'] },
];

// Changes ------------------------------------------------------------------------------------------------------------

/**
 * Partitions that the changes are spread over, each good for 1,000 write units a second: 500 changes. There may be more of
 * them some day, up to 36; never fewer, or the changes in the others would be out of sight.
 */
export const CHANGE_SHARDS = 4;

/** Milliseconds since 1970 in base 36, nine digits until the year 5188. */
const TIME_DIGITS = 9;

const timeText = (milliseconds: number) => milliseconds.toString(36).padStart(TIME_DIGITS, '0');

/**
 * The id of a change: its partition, its time, its transaction, and its place among the changes of that. Changes of one
 * partition sort by their ids.
 *
 * @param transaction six letters and digits, different for each transaction of the same millisecond.
 */
export function changeIdOf(shard: number, milliseconds: number, transaction: string, index: number): string {
  return `${shard.toString(36)}${timeText(milliseconds)}${transaction}${index.toString(36).padStart(2, '0')}`;
}

const SHARD_DIGITS = 1;

/** When the change was made, in milliseconds since 1970. */
export function timeOfChange(changeId: string): number {
  return Number.parseInt(changeId.slice(SHARD_DIGITS, SHARD_DIGITS + TIME_DIGITS), 36);
}

export function changeShardPartition(shard: number): string {
  return `CHANGE#${shard.toString(36)}`;
}

export function changeKey(changeId: string) {
  return { pk: `CHANGE#${changeId.slice(0, SHARD_DIGITS)}`, sk: changeId.slice(SHARD_DIGITS) };
}

/** What the sort keys of all changes since that time come after, whatever partition they are in. */
export function changesFrom(milliseconds: number): string {
  return timeText(milliseconds);
}

// Removals -----------------------------------------------------------------------------------------------------------

/** One partition: good for some 300 removals a second, each with all that goes along. */
export const REMOVALS_PARTITION = 'REMOVALS';

/** Sorts by time. @param name six letters and digits, different for each removal of the same millisecond. */
export function removalIdOf(milliseconds: number, name: string): string {
  return `${timeText(milliseconds)}${name}`;
}

/** When the removal began, in milliseconds since 1970. */
export function timeOfRemoval(removalId: string): number {
  return Number.parseInt(removalId.slice(0, TIME_DIGITS), 36);
}

/** What the sort keys of all parts of a removal start with. */
export const removalParts = (removalId: string) => `${removalId}#`;

/** @param part of its transaction: the id of the first change in it. */
export const removalKey = (removalId: string, part: string) => ({
  pk: REMOVALS_PARTITION,
  sk: `${removalParts(removalId)}${part}`,
});

export const removalIn = (sortKey: string) => sortKey.slice(0, sortKey.indexOf('#'));

/** What the sort keys of all removals since that time come after. */
export const removalsFrom = (milliseconds: number) => timeText(milliseconds);

// Audit --------------------------------------------------------------------------------------------------------------

export const ACCESS_EVENTS_PARTITION = 'AUDIT#ACCESS';
export const REFUSALS_PARTITION = 'AUDIT#REFUSED';

/** @param name six letters and digits, different for each event of the same millisecond. */
export function accessEventKey(milliseconds: number, name: string) {
  return { pk: ACCESS_EVENTS_PARTITION, sk: `${timeText(milliseconds)}${name}` };
}

/** @param digest of who was refused what, why and from where, so that such refusals of one minute are counted in one item. */
export function refusalKey(minuteMilliseconds: number, digest: string) {
  return { pk: REFUSALS_PARTITION, sk: `${timeText(minuteMilliseconds)}${digest}` };
}

/** What is written when refusals are counted: the authorizer may update nothing else there. */
export const refusalAttributes: readonly string[] = [
  ...['event', 'reason', 'actor_kind', 'actor_id', 'actor_name', 'subject_kind', 'subject_id', 'subject_name'],
  ...['source_ip', 'request_id', 'count', 'first_at', 'last_at', 'write_id', TTL_ATTRIBUTE],
];

/** Of a change, an access event or refusals, in milliseconds since 1970: what its sort key begins with. */
export function timeOfSortKey(sortKey: string): number {
  return Number.parseInt(sortKey.slice(0, TIME_DIGITS), 36);
}

// Keys, accounts, secrets --------------------------------------------------------------------------------------------

export const apiKeyItemKey = (hash: string) => ({ pk: `KEY#${hash}`, sk: 'KEY' });
/** What is written when a key or a session is used: the authorizer may update nothing else of it. */
export const useAttributes: readonly string[] = ['last_used_at'];
export const apiKeyIdKey = (keyId: string) => ({ pk: `KEY_ID#${keyId}`, sk: 'KEY_ID' });
export const API_KEYS_PARTITION = 'API_KEYS';
export const API_KEY_NAME_PREFIX = 'KEY#';
export const apiKeyNameKey = (name: string) => ({ pk: API_KEYS_PARTITION, sk: `${API_KEY_NAME_PREFIX}${name}` });
export const rateKey = (keyId: string, minute: number | string) => ({ pk: `RATE#${keyId}#${minute}`, sk: 'RATE' });
export const enrolmentTokenKey = (hash: string) => ({ pk: `ENROLMENT#${hash}`, sk: 'ENROLMENT' });
export const ENROLMENT_TOKENS_PARTITION = 'ENROLMENT_TOKENS';
export const ENROLMENT_TOKEN_PREFIX = 'TOKEN#';
export const enrolmentTokenIdKey = (tokenId: string) => ({
  pk: ENROLMENT_TOKENS_PARTITION,
  sk: `${ENROLMENT_TOKEN_PREFIX}${tokenId}`,
});
export const apiKeyCounterKey = { pk: API_KEYS_PARTITION, sk: 'COUNTER' } as const;
export const SESSIONS_PARTITION = 'SESSIONS';
/** What the sort keys of everything that a user has in the partition of sessions start with. */
export const sessionsOfUser = (user: string) => `${part(user)}#`;
/** @param number of the place, two digits. */
export const sessionSlotKey = (user: string, number: string) => ({
  pk: SESSIONS_PARTITION,
  sk: `${sessionsOfUser(user)}${number}`,
});
export const passwordMarkKey = (user: string) => ({ pk: SESSIONS_PARTITION, sk: sessionsOfUser(user) });
export const accountKey = (name: string) => ({ pk: `ACCOUNT#${name}`, sk: 'ACCOUNT' });
export const idempotencyItemKey = (callerId: string, keyHash: string) => ({
  pk: `IDEMPOTENCY#${part(callerId)}#${keyHash}`,
  sk: 'REQUEST',
});
export const reconciliationKey = (id: string) => ({ pk: `RECONCILIATION#${id}`, sk: 'RECONCILIATION' });
export const reconciliationIdOf = (partition: string) => partition.slice(reconciliationKey('').pk.length);
export const reconciliationPartKey = (id: string, number: number) => ({
  pk: reconciliationKey(id).pk,
  sk: `PART#${String(number).padStart(4, '0')}`,
});
export const pageTokenSecretKey = { pk: 'SECRET#PAGE_TOKEN', sk: 'SECRET' } as const;

/** Grants nothing and is read by nobody. */
export const writeCheckKey = { pk: 'WRITE_CHECK', sk: 'WRITE_CHECK' } as const;

/** Whether an item says who may do what, rather than what there is: such items outlive a restoration of the inventory. */
export function isAccessItem({ pk }: { pk: string }): boolean {
  return /^(KEY|KEY_ID|API_KEYS|SESSIONS|ACCOUNT|SECRET|ENROLMENT|ENROLMENT_TOKENS|RATE|AUDIT)(#|$)/.test(pk);
}

/**
 * Items that grant something: keys and what leads to them, tokens, accounts, and the record of what was done to them. Where the
 * table can be written past the service, these are sealed (shared/db/seal.ts).
 */
export function isSealedItem({ pk, sk }: { pk: string; sk: string }): boolean {
  return /^(KEY|KEY_ID|API_KEYS|ACCOUNT|ENROLMENT|ENROLMENT_TOKENS)(#|$)|^AUDIT#ACCESS$/.test(pk) && sk !== 'COUNTER';
}

/** Of these items, what changes without granting anything: when a key was used last, how often it may be, when it is swept away. */
export const unsealedAttributes: ReadonlySet<string> = new Set([
  'last_used_at',
  'rate_limit_per_minute',
  TTL_ATTRIBUTE,
]);
