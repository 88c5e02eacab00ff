import { hash } from 'node:crypto';
import type { AgentType } from '../../domain/agent/types.ts';
import type { NodeType } from '../../domain/node/types.ts';
import { type ObjectKind, objectKinds } from '../../domain/fields/object-kind.ts';
import { CHANGE_DAYS } from '../../domain/records/retention.ts';
import type { ServiceType } from '../../domain/service/types.ts';

/**
 * The item table: one table with two indexes. This file builds every key; no other file does.
 *
 * | item            | pk                      | sk                     | contents and purpose
 * |-----------------|-------------------------|------------------------|------------------------------------------------------
 * | node            | NODE#<id>               | NODE                   | the node; get by id
 * | service         | SERVICE#<id>            | SERVICE                | the service; get by id
 * | agent           | AGENT#<id>              | AGENT                  | the agent; get by id
 * | dependents      | NODE#, SERVICE#, AGENT# | GUARD                  | of a node, a service or a pmm_agent: its type, the
 * | counter         |                         |                        | number of its dependants by kind, and whether it is
 * |                 |                         |                        | being removed. Adds and removals of dependants write
 * |                 |                         |                        | this item, so that they do not change the object,
 * |                 |                         |                        | its revision and its index entries
 * | edge            | NODE#<id>               | SERVICE#<name>         | a service runs on this node
 * | edge            | NODE#<id>               | AGENT#<type>#<id>      | an agent runs on this node
 * | edge            | AGENT#<id>              | AGENT#<type>#<id>      | an agent runs under this pmm_agent
 * | edge            | NODE#<id>, SERVICE#<id> | INSIGHT#<type>#<id>    | an agent gives insight into this node or service
 * | claim           | NODE_NAME#<name>, SERVICE_NAME#<name>, NODE_ADDRESS#<region>#<address>, CONTAINER#<id>, AGENT_KEY#<sha256 of key>
 * |                 |                         | CLAIM                  | a unique value is taken, by the object `owner_id`
 * | label index     | NODES#, SERVICES#, AGENTS#<label>#<value>
 * | entry           |                         | <name> (agents:        | an object with this value of a label or attribute
 * |                 |                         | <type>#<id>)           | (`object_id`): a list by selector reads only matching
 * |                 |                         |                        | objects, however rare they are. A long value is hashed
 * | overflow entry  | NODES#*, SERVICES#*, AGENTS#*
 * |                 |                         | the same               | an object with more labels than are indexed
 * | unplaced entry  | SERVICES#@, AGENTS#@    | the same               | a service or an agent that is on no node
 * | heartbeat       | HEARTBEATS#<shard>      | <node id>              | of every node: the time and contents of the last report
 * |                 |                         |                        | of each of its agent processes. States follow from it;
 * |                 |                         |                        | lists by state and cleanups walk them by node id
 * | key             | KEY#<sha256 of key>     | KEY                    | an API key or a session; one strong read authorises
 * | key by name     | API_KEYS                | KEY#<name>             | list of API keys; makes their names unique (after a
 * |                 |                         |                        | rotation: one item for the new secret, and one for each
 * |                 |                         |                        | previous secret that still works)
 * | key by id       | KEY_ID#<id>             | KEY_ID                 | the hash of the present secret of a key id, and those of
 * |                 |                         |                        | its previous secrets
 * | key counter     | API_KEYS                | COUNTER                | the number of API keys except those of nodes, and of
 * |                 |                         |                        | Admin keys that never expire
 * | counter of keys | API_KEYS                | COUNTER#<number>       | a part of the number of keys of nodes. The hash of the
 * | of nodes        |                         |                        | name selects the part, so that enrolments share no item.
 * |                 |                         |                        | `registrars` of the key counter is the number of an
 * |                 |                         |                        | earlier version. Only the sum is exact
 * | session slot    | SESSIONS                | <user>#<number>        | one of the hundred slots of a user for open sessions, and
 * |                 |                         |                        | the session in it; the list of sessions
 * | password mark   | SESSIONS                | <user>#                | when the user's present password was set, if the service
 * |                 |                         |                        | itself has set it
 * | requests        | RATE#<key id>#<minute>  | RATE                   | the requests of a key with a rate limit in one minute
 * | token           | ENROLMENT#<sha256>      | ENROLMENT              | an enrolment token; exists until it is used
 * | token by id     | ENROLMENT_TOKENS        | TOKEN#<id>             | the list of enrolment tokens; the token of an id
 * | account         | ACCOUNT#<name>          | ACCOUNT                | a user, with the hash of the password
 * | change          | CHANGE#<shard>          | <time>-<transaction>-<index>
 * |                 |                         |                        | one change of one object: actor, time, the fields before
 * |                 |                         |                        | and after. The change feed; each change refers to the one
 * |                 |                         |                        | before it, which makes the history of an object
 * | change of state | STATE_CHANGES           | the same               | a node became stale, offline or live: written by the
 * |                 |                         |                        | scheduled pass, and part of the feed on request
 * | state pass      | STATE_PASS              | STATE_PASS             | how far a pass over the states has come that had no time
 * |                 |                         |                        | to finish
 * | change shards   | CHANGE_SHARDS           | CHANGE_SHARDS          | the number of partitions of changes, and when it grew;
 * |                 |                         |                        | absent while it is that of a new table
 * | removal         | REMOVALS                | <time and name>#<part> | the objects that one transaction of a removal removed, by
 * |                 |                         |                        | their changes; the list of removals that can be restored
 * | forced removal  | FORCED_REMOVALS         | NODE#, SERVICE#, AGENT#<id>
 * |                 |                         |                        | a forced removal in several transactions that has begun
 * |                 |                         |                        | and has not finished: its actor and its time
 * | cleanup         | CLEANUP                 | CLEANUP                | how far a scheduled cleanup has come that one run could
 * |                 |                         |                        | not finish
 * | access event    | AUDIT#ACCESS            | <time><six letters and digits>
 * |                 |                         |                        | a key, a token or a session was added, changed, rotated,
 * |                 |                         |                        | used or removed: actor and time
 * | refusals        | AUDIT#REFUSED           | <minute><digest>       | the number of refused calls in a minute with the same
 * |                 |                         |                        | caller, source and reason (the digest is of these)
 * | request         | IDEMPOTENCY#<caller>#<sha256 of key> | REQUEST   | an add or an atomic batch that took effect under an
 * |                 |                         |                        | Idempotency-Key, with its reply
 * | reconciliation  | RECONCILIATION#<id>     | RECONCILIATION         | a plan that can be applied, or a reconciliation that one
 * |                 |                         |                        | request could not finish: its scope and its progress
 * | part            | RECONCILIATION#<id>     | PART#<number>          | a part of the compressed desired state
 * | failed          | FAILED_RECONCILIATIONS  | <id>                   | a stored reconciliation that stopped, or in which a step
 * | reconciliation  |                         |                        | failed; the summary lists them
 * | stopped cleanup | CLEANUP                 | STOPPED                | the safety threshold stopped the last scheduled cleanup
 * | summary         | SUMMARY                 | SUMMARY                | the last summary, which all requests share for a minute
 * | count           | SUMMARY                 | COUNT                  | the lease of the request that computes the summary, how far
 * |                 |                         |                        | its count has come, and the changes of the last day
 * | secret          | SECRET#PAGE_TOKEN       | SECRET                 | the key that signs page tokens
 * | write check     | WRITE_CHECK             | WRITE_CHECK            | local server only: written to detect a full disk
 *
 * Indexes (eventually consistent, project whole objects; used by lists only, never for a decision):
 * by_name: list_pk NODES, SERVICES, AGENTS + list_sk name (agents: type, then id)
 * by_type: type_pk NODES#<type>, SERVICES#<type> + list_sk name
 */
export const indexes = {
  byName: { name: 'by_name', partitionKey: 'list_pk', sortKey: 'list_sk' },
  byType: { name: 'by_type', partitionKey: 'type_pk', sortKey: 'list_sk' },
} as const;

/** A key as one string, for maps and sets. */
export const nameOfKey = ({ pk, sk }: { pk?: unknown; sk?: unknown }) => JSON.stringify([pk, sk]);

export const tableKey = { partitionKey: 'pk', sortKey: 'sk' } as const;

/**
 * The time (seconds since 1970) from which DynamoDB may delete the item. Deletion may be days late, so code checks too.
 */
export const TTL_ATTRIBUTE = 'ttl';

/** How long changes and audit entries are kept, in seconds. */
export const CHANGE_SECONDS = CHANGE_DAYS * 86_400;

/** Attributes of the table's keys and indexes, which are no fields of the object. */
export const tableAttributes: ReadonlySet<string> = new Set([
  tableKey.partitionKey,
  tableKey.sortKey,
  indexes.byName.partitionKey,
  indexes.byType.partitionKey,
  indexes.byName.sortKey,
]);

export type { ObjectKind };

const prefixes = { node: 'NODE', service: 'SERVICE', agent: 'AGENT' } as const;

function collection(kind: ObjectKind, id: string): string {
  return `${prefixes[kind]}#${id}`;
}

export function objectKey(kind: ObjectKind, id: string) {
  return { pk: collection(kind, id), sk: prefixes[kind] };
}

/** The id of the object whose item has this key. */
export function idInKey(kind: ObjectKind, { pk }: { pk: string }): string {
  return pk.slice(prefixes[kind].length + 1);
}

export function dependentsKey(kind: ObjectKind, id: string) {
  return { pk: collection(kind, id), sk: 'GUARD' };
}

/** Escapes a part of a compound key, so that the parts stay distinct: `#` becomes %23, and `%` becomes %25. */
function part(value: string): string {
  return value.replaceAll('%', '%25').replaceAll('#', '%23');
}

export const FORCED_REMOVALS_PARTITION = 'FORCED_REMOVALS';

export function forcedRemovalKey(kind: ObjectKind, id: string) {
  return { pk: FORCED_REMOVALS_PARTITION, sk: collection(kind, id) };
}

/** The object that the forced removal with this sort key removes. */
export function forcedRemovalIn(sk: string): { kind: ObjectKind; id: string } {
  const [prefix = '', id = ''] = sk.split('#');
  const kind = objectKinds.find((one) => prefixes[one] === prefix);
  if (kind === undefined) throw new Error(`no forced removal: ${sk}`);
  return { kind, id };
}

export const statePassKey = { pk: 'STATE_PASS', sk: 'STATE_PASS' } as const;
export const unfinishedCleanupKey = { pk: 'CLEANUP', sk: 'CLEANUP' } as const;
export const stoppedCleanupKey = { pk: 'CLEANUP', sk: 'STOPPED' } as const;

// Edges --------------------------------------------------------------------------------------------------------------

/** The relations of an object, with the prefix of the sort keys of their edges. */
export const relations = { services: 'SERVICE#', agents: 'AGENT#', insights: 'INSIGHT#' } as const;

export type Relation = keyof typeof relations;

export function serviceEdgeKey(nodeId: string, serviceName: string) {
  return { pk: collection('node', nodeId), sk: `${relations.services}${serviceName}` };
}

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

/** @param parent the node it runs on, or the pmm_agent it runs under. */
export function agentEdgeKey(parent: 'node' | 'agent', parentId: string, agent: AgentIdentity) {
  return { pk: collection(parent, parentId), sk: `${relations.agents}${agentOrder(agent)}` };
}

export function insightEdgeKey(target: 'node' | 'service', targetId: string, agent: AgentIdentity) {
  return { pk: collection(target, targetId), sk: `${relations.insights}${agentOrder(agent)}` };
}

// Claims and label index ---------------------------------------------------------------------------------------------

const claim = (pk: string) => ({ pk, sk: 'CLAIM' });

export const nodeNameClaim = (name: string) => claim(`NODE_NAME#${name}`);
export const serviceNameClaim = (name: string) => claim(`SERVICE_NAME#${name}`);
export const nodeAddressClaim = (region: string, address: string) => claim(`NODE_ADDRESS#${part(region)}#${address}`);
export const containerClaim = (containerId: string) => claim(`CONTAINER#${containerId}`);

/** @param digest of type, place and targets: see agent-natural-key.ts. Only registered agents have this claim. */
export const agentKeyClaim = (digest: string) => claim(`AGENT_KEY#${digest}`);

const listPartitions = { node: 'NODES', service: 'SERVICES', agent: 'AGENTS' } as const;

/** DynamoDB limits a partition key to 2,048 bytes, and a value may have 4,096. 256 keeps a label index entry small. */
const MAX_INDEXED_VALUE_BYTES = 256;

/** @param label a label name; it contains no `#`. */
export function labelIndexPartition(kind: ObjectKind, label: string, value: string): string {
  const isShort = Buffer.byteLength(value) <= MAX_INDEXED_VALUE_BYTES;
  // Lists check the object itself as well, so a hash collision does no harm.
  const shown = isShort ? value : `sha256:${hash('sha256', value)}`;
  return `${listPartitions[kind]}#${label}#${shown}`;
}

/** The partition of the objects with more labels than are indexed. */
export function overflowPartition(kind: ObjectKind): string {
  return `${listPartitions[kind]}#*`;
}

/**
 * The partition of the services, or agents, that are on no node and so in no node's collection. No label has this name.
 */
export function unplacedPartition(kind: 'service' | 'agent'): string {
  return `${listPartitions[kind]}#@`;
}

// Heartbeats ---------------------------------------------------------------------------------------------------------

/**
 * Number of partitions for heartbeats; DynamoDB writes 1,000 reports a second to each. Fixed: the partition of a node
 * follows from its id. A request for states reads all of them in parallel.
 */
const HEARTBEAT_SHARDS = 16;

const heartbeatPartition = (shard: number) => `HEARTBEATS#${shard.toString(16)}`;

export const heartbeatPartitions: readonly string[] = Array.from({ length: HEARTBEAT_SHARDS }, (_, shard) =>
  heartbeatPartition(shard),
);

/** A byte that spreads texts evenly. As hexadecimal text, a hash takes half the time that it takes as a Buffer. */
const byteOf = (text: string) => Number.parseInt(hash('sha256', text).slice(0, 2), 16);

export function heartbeatKey(nodeId: string) {
  return { pk: heartbeatPartition(byteOf(nodeId) % HEARTBEAT_SHARDS), sk: nodeId };
}

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

// Changes ------------------------------------------------------------------------------------------------------------

/**
 * Number of partitions for changes in a new table, and in every table of an earlier version. DynamoDB writes 1,000 units
 * a second to each, which is 500 changes. The table contains a larger number (history/change-shards.ts). It never
 * decreases: readers would not find the changes in the other partitions.
 */
export const FIRST_CHANGE_SHARDS = 4;

/** The partition is one digit of a change id. */
export const MAX_CHANGE_SHARDS = 36;

/** Not below `CHANGE#`: the stream of changes must not contain it. */
export const changeShardsKey = { pk: 'CHANGE_SHARDS', sk: 'CHANGE_SHARDS' } as const;

/** Digits of a time in milliseconds since 1970 in base 36; nine are enough until the year 5188. */
const TIME_DIGITS = 9;

const timeText = (milliseconds: number) => milliseconds.toString(36).padStart(TIME_DIGITS, '0');

/**
 * The id of a change: its partition, time, transaction, and index within the transaction. The changes of one partition
 * sort by their ids.
 *
 * @param transaction six letters and digits that distinguish the transactions of the same millisecond.
 */
export function changeIdOf(shard: number, milliseconds: number, transaction: string, index: number): string {
  return `${shard.toString(36)}${timeText(milliseconds)}${transaction}${index.toString(36).padStart(2, '0')}`;
}

const SHARD_DIGITS = 1;

/** The time of the change, in milliseconds since 1970. */
export function timeOfChange(changeId: string): number {
  return Number.parseInt(changeId.slice(SHARD_DIGITS, SHARD_DIGITS + TIME_DIGITS), 36);
}

export function changeShardPartition(shard: number): string {
  return `CHANGE#${shard.toString(36)}`;
}

export function changeKey(changeId: string) {
  return { pk: `CHANGE#${changeId.slice(0, SHARD_DIGITS)}`, sk: changeId.slice(SHARD_DIGITS) };
}

/**
 * The changes of states: one partition, which takes 500 of them a second, and of which readers of other changes pay
 * nothing. Not below `CHANGE#`: the audit and the summary must not contain it.
 */
export const STATE_CHANGES_PARTITION = 'STATE_CHANGES';

/** Its id begins with a digit that means nothing, so that all ids of changes have the same form. */
export function stateChangeIdOf(milliseconds: number, transaction: string): string {
  return changeIdOf(0, milliseconds, transaction, 0);
}

export function stateChangeKey(changeId: string) {
  return { pk: STATE_CHANGES_PARTITION, sk: changeId.slice(SHARD_DIGITS) };
}

/** The id of the change of a state whose item has this key. */
export const stateChangeIdIn = ({ sk }: { sk: string }) => `${'0'.repeat(SHARD_DIGITS)}${sk}`;

/** The lower bound of the sort keys of all changes since that time, in any partition. */
export function changesFrom(milliseconds: number): string {
  return timeText(milliseconds);
}

// Removals -----------------------------------------------------------------------------------------------------------

/** One partition: DynamoDB writes some 300 removals a second to it, each with all objects that it removes. */
export const REMOVALS_PARTITION = 'REMOVALS';

/**
 * Removal ids sort by time. @param name six letters and digits that distinguish the removals of the same millisecond.
 */
export function removalIdOf(milliseconds: number, name: string): string {
  return `${timeText(milliseconds)}${name}`;
}

/** The time at which the removal began, in milliseconds since 1970. */
export function timeOfRemoval(removalId: string): number {
  return Number.parseInt(removalId.slice(0, TIME_DIGITS), 36);
}

/** The prefix of the sort keys of all parts of a removal. */
export const removalParts = (removalId: string) => `${removalId}#`;

/** @param part names the transaction: the id of its first change. */
export const removalKey = (removalId: string, part: string) => ({
  pk: REMOVALS_PARTITION,
  sk: `${removalParts(removalId)}${part}`,
});

export const removalIn = (sortKey: string) => sortKey.slice(0, sortKey.indexOf('#'));

/** The lower bound of the sort keys of all removals since that time. */
export const removalsFrom = (milliseconds: number) => timeText(milliseconds);

// Audit --------------------------------------------------------------------------------------------------------------

export const ACCESS_EVENTS_PARTITION = 'AUDIT#ACCESS';
export const REFUSALS_PARTITION = 'AUDIT#REFUSED';

/** @param name six letters and digits that distinguish the events of the same millisecond. */
export function accessEventKey(milliseconds: number, name: string) {
  return { pk: ACCESS_EVENTS_PARTITION, sk: `${timeText(milliseconds)}${name}` };
}

/** @param digest of caller, event, reason and source. Equal refusals of one minute are counted in one item. */
export function refusalKey(minuteMilliseconds: number, digest: string) {
  return { pk: REFUSALS_PARTITION, sk: `${timeText(minuteMilliseconds)}${digest}` };
}

/** The attributes that counting refusals writes. IAM lets the authorizer update no others in these items. */
export const refusalAttributes: readonly string[] = [
  ...['event', 'reason', 'actor_kind', 'actor_id', 'actor_name', 'subject_kind', 'subject_id', 'subject_name'],
  ...['source_ip', 'request_id', 'count', 'first_at', 'last_at', 'write_id', TTL_ATTRIBUTE],
];

/** The time of a change, an access event or refusals, in milliseconds since 1970: the prefix of the sort key. */
export function timeOfSortKey(sortKey: string): number {
  return Number.parseInt(sortKey.slice(0, TIME_DIGITS), 36);
}

// Keys, accounts, secrets --------------------------------------------------------------------------------------------

export const apiKeyItemKey = (hash: string) => ({ pk: `KEY#${hash}`, sk: 'KEY' });
/**
 * The attributes that the use of a key or a session writes. IAM lets the authorizer update no others in these items.
 */
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
const COUNTER = 'COUNTER';
export const apiKeyCounterKey = { pk: API_KEYS_PARTITION, sk: COUNTER } as const;
/**
 * Number of items that count the keys of nodes. DynamoDB refuses concurrent transactions on one item; with 64 of them,
 * 16 enrolments at once rarely meet. Fixed: the item of a key follows from its name.
 */
export const REGISTRAR_COUNTERS = 64;
/** @param name of the key, which it keeps when a repeated enrolment replaces it. */
export function registrarCounterKey(name: string) {
  return { pk: API_KEYS_PARTITION, sk: `${COUNTER}#${byteOf(name) % REGISTRAR_COUNTERS}` };
}
export const SESSIONS_PARTITION = 'SESSIONS';
/** The prefix of the sort keys of all items of a user in the partition of sessions. */
export const sessionsOfUser = (user: string) => `${part(user)}#`;
/** @param number of the slot, two digits. */
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
export const FAILED_RECONCILIATIONS_PARTITION = 'FAILED_RECONCILIATIONS';
export const failedReconciliationKey = (id: string) => ({ pk: FAILED_RECONCILIATIONS_PARTITION, sk: id });
export const summaryKey = { pk: 'SUMMARY', sk: 'SUMMARY' } as const;
export const countKey = { pk: 'SUMMARY', sk: 'COUNT' } as const;
export const pageTokenSecretKey = { pk: 'SECRET#PAGE_TOKEN', sk: 'SECRET' } as const;

/** Grants nothing. No code reads it. */
export const writeCheckKey = { pk: 'WRITE_CHECK', sk: 'WRITE_CHECK' } as const;

/** Whether the item concerns access, or the table itself, rather than the inventory. A restoration leaves such items. */
export function isAccessItem({ pk }: { pk: string }): boolean {
  return /^(KEY|KEY_ID|API_KEYS|SESSIONS|ACCOUNT|SECRET|ENROLMENT|ENROLMENT_TOKENS|RATE|AUDIT|CHANGE_SHARDS)(#|$)/.test(
    pk,
  );
}

/**
 * Items that grant access (keys, the items that lead to them, tokens, accounts) and the audit of access events. Where
 * the table can be written by other means than the service, these are sealed (shared/db/seal.ts).
 */
export function isSealedItem({ pk, sk }: { pk: string; sk: string }): boolean {
  return (
    /^(KEY|KEY_ID|API_KEYS|ACCOUNT|ENROLMENT|ENROLMENT_TOKENS)(#|$)|^AUDIT#ACCESS$/.test(pk) &&
    !/^COUNTER(#|$)/.test(sk)
  );
}

/**
 * The attributes of sealed items that grant nothing and so may change without a new seal: last use, rate limit, expiry.
 */
export const unsealedAttributes: ReadonlySet<string> = new Set([
  'last_used_at',
  'rate_limit_per_minute',
  TTL_ATTRIBUTE,
]);
