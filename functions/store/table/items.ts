import { patternFrom } from './key-parts.ts';

/** A kind of item: its key, and how long it is kept. */
export interface ItemShape {
  /** `<id>` is a part of the key, `<NODE|AGENT>` is one of these texts. A part that another text follows is escaped. */
  pk: string;
  sk: string;
  group: Group;
  /** Whether the item ends by its time to live. Undefined: it never does. */
  ttl?: 'always' | 'sometimes';
  /** Whether the item has the attributes of an index. */
  index?: 'by_name' | 'by_name of some' | 'by_name and by_type';
}

/**
 * objects, heartbeats: written by store/inventory, store/heartbeats and the reports of agents. history: by the same
 * transactions. jobs: by store/jobs, store/summary and repeatable requests. silences: by store/silences. filters: by store/saved-filters. keys, users, limits: by store/credentials.
 * audit: by store/audit. table: by the deployment and the start of the local server.
 */
type Group =
  | 'objects'
  | 'heartbeats'
  | 'history'
  | 'silences'
  | 'filters'
  | 'jobs'
  | 'keys'
  | 'users'
  | 'limits'
  | 'audit'
  | 'table';

/**
 * Every item of the table: one table with two indexes. All keys are made from these shapes. The indexes are eventually consistent and project whole items; lists use them, decisions do not:
 * by_name has list_pk NODES, SERVICES or AGENTS, and list_sk the name (agents: type, then id), and CLUSTERS with the name of the
 * cluster, then the id of its service, and NODES#address#<value> or SERVICES#address#<value> with the name; by_type has type_pk NODES#<type> or SERVICES#<type>, and the same list_sk.
 */
export const items = {
  node: { pk: 'NODE#<id>', sk: 'NODE', group: 'objects', index: 'by_name and by_type' },
  service: { pk: 'SERVICE#<id>', sk: 'SERVICE', group: 'objects', index: 'by_name and by_type' },
  agent: { pk: 'AGENT#<id>', sk: 'AGENT', group: 'objects', index: 'by_name' },
  /**
   * Of a node, a service or a pmm_agent: its type, the number of its dependants by kind, and whether it is being removed.
   * Adds and removals of dependants write this item, so that they do not change the object, its revision and its index
   * entries.
   */
  dependentsCounter: { pk: '<NODE|SERVICE|AGENT>#<id>', sk: 'GUARD', group: 'objects' },

  /** A service runs on this node. */
  serviceEdge: { pk: 'NODE#<id>', sk: 'SERVICE#<name>', group: 'objects' },
  /** An agent runs on this node, or under this pmm_agent. */
  agentEdge: { pk: '<NODE|AGENT>#<id>', sk: 'AGENT#<type>#<agent id>', group: 'objects' },
  /** An agent gives insight into this node or service. */
  insightEdge: { pk: '<NODE|SERVICE>#<id>', sk: 'INSIGHT#<type>#<agent id>', group: 'objects' },

  /** A claim: a unique value is taken, by the object `owner_id`. */
  /**
   * That of a name stays for an hour after the removal of its owner, with the time (entities/claim-owners.ts). In the index, the claims
   * of objects with an address are listed by it.
   */
  nodeName: { pk: 'NODE_NAME#<name>', sk: 'CLAIM', group: 'objects', ttl: 'sometimes', index: 'by_name of some' },
  serviceName: { pk: 'SERVICE_NAME#<name>', sk: 'CLAIM', group: 'objects', ttl: 'sometimes', index: 'by_name of some' },
  nodeAddress: { pk: 'NODE_ADDRESS#<region>#<address>', sk: 'CLAIM', group: 'objects' },
  container: { pk: 'CONTAINER#<container id>', sk: 'CLAIM', group: 'objects' },
  /** Only registered agents have it. The key is a digest of type, place and targets (agent-natural-key.ts). */
  agentKey: { pk: 'AGENT_KEY#<sha256 of key>', sk: 'CLAIM', group: 'objects' },

  /** A service of this cluster, as a label index entry. In the index, all of them are the list of clusters. */
  clusterEntry: { pk: 'SERVICES#cluster#<value>', sk: '<order>', group: 'objects', index: 'by_name' },
  /**
   * An object with this value of a label or attribute (`object_id`): a list by selector reads only matching objects,
   * however rare they are. A long value is hashed.
   */
  labelEntry: { pk: '<NODES|SERVICES|AGENTS>#<label>#<value>', sk: '<order>', group: 'objects' },
  /** An object with more labels than are indexed. */
  overflowEntry: { pk: '<NODES|SERVICES|AGENTS>#*', sk: '<order>', group: 'objects' },
  /** A service or an agent that is on no node. */
  unplacedEntry: { pk: '<SERVICES|AGENTS>#@', sk: '<order>', group: 'objects' },

  /**
   * Of every node: the time and contents of the last report of each of its agent processes, and the interruptions of the
   * day before it. States follow from it; lists by state and cleanups walk them by node id.
   */
  heartbeat: { pk: 'HEARTBEATS#<shard>', sk: '<node id>', group: 'heartbeats' },
  /**
   * The times of the last reports of up to 500 agent processes that a relay reports together and that say nothing new. A
   * report of all of them writes this item instead of their heartbeats, each of which names its group and its slot.
   */
  groupTimes: { pk: 'HEARTBEAT_GROUP#<id>', sk: 'TIMES', group: 'heartbeats' },
  /** The agent processes of these slots, with all that a relay's report without news is judged by. */
  groupMembers: { pk: 'HEARTBEAT_GROUP#<id>', sk: 'MEMBERS', group: 'heartbeats' },

  /**
   * One start of a collector that speaks OpAMP: its agent, its last sequence number, the last offer. The caller is the
   * node of a Registrar, else the key.
   */
  collectorSession: { pk: 'OPAMP#<caller>#<instance uid>', sk: 'OPAMP', group: 'jobs', ttl: 'always' },

  /**
   * One change of one object: actor, time, the fields before and after. The change feed; each change refers to the one
   * before it, which makes the history of an object.
   */
  change: { pk: 'CHANGE#<shard>', sk: '<time, transaction and index>', group: 'history', ttl: 'always' },
  /** A node became stale, offline or live: written by the scheduled pass, and part of the feed on request. */
  stateChange: { pk: 'STATE_CHANGES', sk: '<time, transaction and index>', group: 'history', ttl: 'always' },
  /** The objects that one transaction of a removal removed, by their changes; the list of removals to restore. */
  removal: { pk: 'REMOVALS', sk: '<removal id>#<change id>', group: 'history', ttl: 'always' },

  /** Objects that cause no attention for some time, by a selector. Its id is a digest of the selector. */
  silence: { pk: 'SILENCES', sk: 'SILENCE#<id>', group: 'silences', ttl: 'always' },

  /** A saved filter of a list: of one person, or shared by everybody. Makes its name unique. */
  savedFilter: {
    pk: 'SAVED_FILTERS#<person or everybody>',
    sk: 'FILTER#<list>#<name>',
    group: 'filters',
    // That of an API key with an end.
    ttl: 'sometimes',
  },
  /** A person has pinned the saved filter with this id. */
  pin: { pk: 'SAVED_FILTERS#<person or everybody>', sk: 'PIN#<id>', group: 'filters', ttl: 'sometimes' },

  /** The number of additions to a collection with a limit, by its partition: simultaneous ones do not exceed the limit. */
  additions: { pk: 'ADDITIONS#<partition>', sk: 'ADDITIONS', group: 'jobs', ttl: 'always' },

  /** A forced removal in several transactions that has begun and has not finished: its actor and its time. */
  forcedRemoval: { pk: 'FORCED_REMOVALS', sk: '<NODE|SERVICE|AGENT>#<id>', group: 'jobs' },
  /** A job that works in parts: the place at which the last part ended, the lease of the part in progress, the state. */
  cleanup: { pk: 'CLEANUP', sk: 'JOB', group: 'jobs' },
  reopening: { pk: 'CLEANUP', sk: 'REOPENING_JOB', group: 'jobs' },
  indexing: { pk: 'CLEANUP', sk: 'INDEXING_JOB', group: 'jobs' },
  statePass: { pk: 'STATE_PASS', sk: 'JOB', group: 'jobs' },
  count: { pk: 'SUMMARY', sk: 'COUNT', group: 'jobs' },
  /** The last summary, which all requests share for a minute. */
  summary: { pk: 'SUMMARY', sk: 'SUMMARY', group: 'jobs' },
  /** A plan that can be applied, or a reconciliation that one request could not finish: its scope and its progress. */
  reconciliation: { pk: 'RECONCILIATION#<id>', sk: 'RECONCILIATION', group: 'jobs', ttl: 'always' },
  /** A part of the compressed desired state. */
  reconciliationPart: { pk: 'RECONCILIATION#<id>', sk: 'PART#<number>', group: 'jobs', ttl: 'always' },
  /**
   * A stored reconciliation that one request did not finish, or in which a step failed; the summary lists them. Named by
   * the first releases, which listed only those that failed.
   */
  listedReconciliation: { pk: 'FAILED_RECONCILIATIONS', sk: '<id>', group: 'jobs', ttl: 'always' },
  /** An add or an atomic batch that took effect under an Idempotency-Key, with its reply. */
  request: { pk: 'IDEMPOTENCY#<caller>#<sha256 of key>', sk: 'REQUEST', group: 'jobs', ttl: 'always' },

  /** An API key. */
  key: { pk: 'KEY#<sha256 of key>', sk: 'KEY', group: 'keys', ttl: 'sometimes' },
  /**
   * The hash of the present secret of a key id, and those of its previous secrets; a secret that is not among them is
   * refused.
   */
  keyId: { pk: 'KEY_ID#<id>', sk: 'KEY_ID', group: 'keys', ttl: 'sometimes' },
  /** The list of API keys; makes their names unique. */
  keyName: { pk: 'API_KEYS', sk: 'KEY#<name>', group: 'keys' },
  /** A group of keys that clients of PMM add, with the role of its keys. The id is a digest of the name. */
  serviceAccount: { pk: 'API_KEYS', sk: 'SERVICE_ACCOUNT#<id>', group: 'keys' },
  /** The number of API keys except those of nodes, and of Admin keys that never expire. */
  keyCounter: { pk: 'API_KEYS', sk: 'COUNTER', group: 'keys' },
  /**
   * A part of the number of keys of nodes. The hash of the name selects the part, so that enrolments share no item.
   * `registrars` of the key counter is the number of an earlier version. Only the sum is exact.
   */
  registrarCounter: { pk: 'API_KEYS', sk: 'COUNTER#<number>', group: 'keys' },

  /**
   * A session, or the key of a program. It is not beside the API keys, so that the function for log-ins, which is open to
   * anybody, needs no right to write those.
   */
  session: { pk: 'SESSION#<sha256 of key>', sk: 'SESSION', group: 'users', ttl: 'always' },
  /** The same as that of a key id. */
  sessionId: { pk: 'SESSION_ID#<id>', sk: 'SESSION_ID', group: 'users', ttl: 'always' },

  /**
   * When the user's present password was set, if the service itself has set it; of a user beside `admin`, the version of
   * the user, which also ends sessions after a removal.
   */
  passwordMark: { pk: 'SESSIONS', sk: '<user>#', group: 'users', ttl: 'sometimes' },
  /** One of the hundred slots of a user for open sessions, and the session in it; the list of sessions. */
  sessionSlot: { pk: 'SESSIONS', sk: '<user>#<number>', group: 'users', ttl: 'always' },
  /** The account `admin`, with the hash of the password or the ARN of its secret. */
  account: { pk: 'ACCOUNT#<name>', sk: 'ACCOUNT', group: 'users' },
  /**
   * A user beside `admin`: role, hash of the password, hash of the invitation, and the version that its sessions must have.
   * The list of users.
   */
  user: { pk: 'USERS', sk: 'USER#<id>', group: 'users' },
  /**
   * Of a session that is renewed: its refresh token, encrypted by its key, and the lease of the renewal in progress. The
   * encryption covers all that grants something.
   */
  renewal: { pk: 'RENEWAL#<session id>', sk: 'RENEWAL', group: 'users', ttl: 'always' },
  /** The last metadata and public keys of an identity provider, for new processes and while it does not answer. */
  provider: { pk: 'PROVIDER#<name>', sk: 'PROVIDER', group: 'users' },
  /** A session that began in this session at an identity provider: a log-out there finds it. The digest is of `sid`. */
  providerSession: {
    pk: 'PROVIDER_SESSION#<sha256 of session or person>',
    sk: 'SESSION#<id>',
    group: 'users',
    ttl: 'always',
  },
  /**
   * The last log-out of this session or person at an identity provider: an identity that was confirmed before it opens no
   * session.
   */
  providerLogOut: {
    pk: 'PROVIDER_SESSION#<sha256 of session or person>',
    sk: 'LOG_OUT',
    group: 'users',
    ttl: 'always',
  },
  /** A proof of identity that works once was used: the token of a program or of a log-out, or an authorization code. */
  usedProof: { pk: 'LOGIN#<sha256 of proof>', sk: 'LOGIN', group: 'users', ttl: 'always' },

  /**
   * A program that asks a person for a session, by the digest of its code: the address, the answer, and the rights of the
   * person who approved it.
   */
  device: { pk: 'DEVICE#<sha256 of device code>', sk: 'DEVICE', group: 'users', ttl: 'always' },
  /** The device that shows this code. */
  userCode: { pk: 'USER_CODE#<sha256 of user code>', sk: 'USER_CODE', group: 'users', ttl: 'always' },

  /** A role for the identities of a provider with some claims. The list of role bindings. */
  roleBinding: { pk: 'ROLE_BINDINGS', sk: 'BINDING#<name>', group: 'users' },

  /** An enrolment token; exists until it is used. */
  token: { pk: 'ENROLMENT#<sha256 of token>', sk: 'ENROLMENT', group: 'keys', ttl: 'always' },
  /** The list of enrolment tokens; the token of an id. */
  tokenId: { pk: 'ENROLMENT_TOKENS', sk: 'TOKEN#<id>', group: 'keys', ttl: 'always' },
  /** The requests of a key with a rate limit in one minute. */
  rate: { pk: 'RATE#<key id>#<minute>', sk: 'RATE', group: 'limits', ttl: 'always' },

  /** A key, a token or a session was added, changed, rotated, used or removed: actor and time. */
  accessEvent: { pk: 'AUDIT#ACCESS', sk: '<time and name>', group: 'audit', ttl: 'always' },
  /**
   * A note of a client of PMM, or a change of a silence or a saved filter. They are no events of access, so the functions
   * that write them have no right to those.
   */
  annotation: { pk: 'AUDIT#ANNOTATED', sk: '<time and name>', group: 'audit', ttl: 'always' },
  /** The number of refused calls in a minute with the same caller, source and reason (the digest is of these). */
  refusals: { pk: 'AUDIT#REFUSED', sk: '<minute and digest>', group: 'audit', ttl: 'always' },

  /** The key that signs page tokens. */
  pageTokenSecret: { pk: 'SECRET#PAGE_TOKEN', sk: 'SECRET', group: 'table' },
  /** The version of the format of the items: an older program refuses a newer table (format.ts). */
  format: { pk: 'FORMAT', sk: 'FORMAT', group: 'table' },
  /**
   * The number of partitions of changes, and when it grew; absent while it is that of a new table. Not below `CHANGE#`:
   * the stream of changes must not contain it.
   */
  changeShards: { pk: 'CHANGE_SHARDS', sk: 'CHANGE_SHARDS', group: 'table' },
  /** Local server only: written to detect a full disk. No code reads it. */
  writeCheck: { pk: 'WRITE_CHECK', sk: 'WRITE_CHECK', group: 'table' },
} as const satisfies Record<string, ItemShape>;

const shapes: readonly ItemShape[] = Object.values(items);

const wildcardOf = ({ pk }: ItemShape) => pk.replaceAll(/<[^>]*>/g, '*');

/** The partition keys of a kind of item, with an asterisk for each part. */
export const partitionOf = (kind: keyof typeof items) => wildcardOf(items[kind]);

/** The partition keys of all items of these groups. */
export const partitionsOfGroups = (...groups: readonly Group[]): string[] => [
  ...new Set(shapes.filter(({ group }) => groups.includes(group)).map(wildcardOf)),
];

const partitionsWith = (isMeant: (shape: ItemShape) => boolean) =>
  patternFrom(shapes.filter(isMeant).map(({ pk }) => pk));

const accessGroups: readonly Group[] = ['keys', 'users', 'limits', 'audit', 'table'];
const accessPartitions = partitionsWith(({ group }) => accessGroups.includes(group));
const keyPartitions = partitionsWith(({ group }) => group === 'keys');

/** Whether the item concerns access, or the table itself, rather than the inventory. A restoration leaves such items. */
export const isAccessItem = ({ pk }: { pk: string }) => accessPartitions.test(pk);

/** Whether the item belongs to an API key or an enrolment token, which a restoration can include. A session does not. */
export const isKeyItem = ({ pk, kind }: { pk: string; kind?: unknown }) => keyPartitions.test(pk) && kind !== 'session';
