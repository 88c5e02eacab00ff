import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  heartbeatPartitions,
  indexes,
  labelIndexPartition,
  logInAttributes,
  overflowPartition,
  partitionOfEvent,
  rateAttributes,
  refusalAttributes,
  tableKey,
  useAttributes,
} from '../../functions/store/table/keys.ts';
import { partitionOf, partitionsOfGroups } from '../../functions/store/table/items.ts';
import type { Endpoint, Facade, PartitionGroup } from '../../functions/contract/endpoint.ts';

const readActions = ['GetItem', 'BatchGetItem'];
// A transaction needs the permissions of its actions; no separate permission for transactions exists.
const PUT = 'PutItem';
const alterActions = ['UpdateItem', 'DeleteItem', 'ConditionCheckItem'];

const keys = partitionOf('key');
const accounts = partitionOf('account');
const users = partitionOf('user');
const roleBindings = partitionOf('roleBinding');
const pageTokenSecret = partitionOf('pageTokenSecret');
const format = partitionOf('format');

/** Records of changes are only put, never altered. */
const changes = partitionOf('change');
const stateChanges = partitionOf('stateChange');

/** The number of these partitions. Only the deployment writes it. */
const changeShards = partitionOf('changeShards');

const tokens = [partitionOf('token'), partitionOf('tokenId')];
const apiKeys = [keys, partitionOf('keyId'), partitionOf('keyName')];
/** Sessions and keys of programs. */
const sessions = [partitionOf('session'), partitionOf('sessionId')];

/** Counts of requests: `RATE#<key id>#<minute>`. */
const rates = partitionOf('rate');

/** The partitions of credentials and of the data that admits or refuses callers. */
const credentials = partitionsOfGroups('keys', 'users', 'limits');

/**
 * The partitions of the audit besides the changes. No function may delete or put over their items. Counts of refusals are
 * updated; IAM does not distinguish the addition to a number from setting it.
 */
const auditPartitions = partitionsOfGroups('audit');

/** The times of reports of relays. */
const heartbeatGroups = partitionOf('groupTimes');

/** Groups of one function each, whose role permits nothing that this function does not do. */
type OwnRole = 'own_key' | 'log_ins' | 'device_requests' | 'provider_log_outs';

/** The partitions of each group. The group inventory contains all others, without credentials and audit. */
const partitionsOf: Readonly<
  Record<Exclude<PartitionGroup, 'inventory' | 'reports' | 'admissions' | OwnRole>, readonly string[]>
> = {
  // The own filters of a key end with it. The key of a program is removed by its id.
  api_keys: [...apiKeys, ...sessions, pageTokenSecret, partitionOf('additions'), partitionOf('savedFilter')],
  // One role for all functions of people: an account has 1,000 roles (decision 26).
  // A log-in of a host makes an enrolment token.
  sessions: [
    ...[...sessions, partitionOf('sessionSlot'), users, roleBindings, pageTokenSecret],
    ...[partitionOf('renewal'), partitionOf('provider'), partitionOf('usedProof'), ...tokens],
    ...[partitionOf('device'), partitionOf('userCode'), partitionOf('providerSession')],
    // A removal of a user removes its filters.
    partitionOf('savedFilter'),
    partitionOf('additions'),
  ],
  enrolment_tokens: [...tokens, pageTokenSecret],
  audit: [changes, changeShards, ...auditPartitions, pageTokenSecret],
  summary: [partitionOf('summary')],
  // An enrolment exchanges a token for a node and its key: the objects, and the names and addresses that they claim.
  enrolment: [
    ...tokens,
    ...apiKeys,
    partitionOf('node'),
    partitionOf('nodeName'),
    partitionOf('nodeAddress'),
    partitionOf('container'),
    changes,
    changeShards,
    stateChanges,
    labelIndexPartition('node', '*', '*'),
    overflowPartition('node'),
    ...heartbeatPartitions,
    heartbeatGroups,
  ],
};

/**
 * Only an Admin reads lists of credentials and the audit, so their functions share a role: each may read those of the
 * others.
 */
const ADMIN_LISTS: readonly PartitionGroup[] = ['api_keys', 'sessions', 'enrolment_tokens', 'audit'];
const listedForAdmin = [
  ...[...apiKeys, ...sessions, partitionOf('sessionSlot'), users, roleBindings, ...tokens],
  ...[changes, changeShards, ...auditPartitions, pageTokenSecret],
  // The last use of the key of a host that reports.
  ...heartbeatPartitions,
];

const LEADING_KEYS = 'dynamodb:LeadingKeys';
const ATTRIBUTES = 'dynamodb:Attributes';

/** `ForAllValues` is also true for a request without the key, so each of these keys must be present. */
const present = (...names: string[]) => ({ Null: Object.fromEntries(names.map((name) => [name, 'false'])) });

/** Patterns of partition keys. A condition applies to every key of a request, also in transactions and batches. */
const only = (...partitions: string[]) => ({
  'ForAllValues:StringLike': { [LEADING_KEYS]: partitions },
  ...present(LEADING_KEYS),
});
const allBut = (...partitions: string[]) => ({
  'ForAllValues:StringNotLike': { [LEADING_KEYS]: partitions },
  ...present(LEADING_KEYS),
});

/**
 * An update that names no other attributes: neither to set or remove, nor in its condition. Every request names the key
 * attributes. The attributes in the result of an update are not restricted by this condition, so it must return none.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
 */
const onlyAttributes = (partition: string, attributes: readonly string[]) => ({
  'ForAllValues:StringLike': { [LEADING_KEYS]: [partition] },
  'ForAllValues:StringEquals': { [ATTRIBUTES]: [...Object.values(tableKey), ...attributes] },
  StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' },
  ...present(LEADING_KEYS, ATTRIBUTES),
});

function statement(actions: readonly string[], resources: string[], conditions: Record<string, unknown>) {
  return new PolicyStatement({ actions: actions.map((action) => `dynamodb:${action}`), resources, conditions });
}

const refusalStatement = (tableArn: string) =>
  statement(['UpdateItem'], [tableArn], onlyAttributes(partitionOf('refusals'), refusalAttributes));

/**
 * Permits reading the format of the table when a process begins, and counting the requests of a key with a rate limit, and refused
 * requests. Functions without such counts have it too, so that they share a role with others.
 */
export function countStatements({ tableArn }: TableV2): PolicyStatement[] {
  return [
    statement(['GetItem'], [tableArn], only(format)),
    statement(['UpdateItem'], [tableArn], onlyAttributes(rates, rateAttributes)),
    refusalStatement(tableArn),
  ];
}

/**
 * Permits an endpoint that changes credentials to add audit events, and nothing else in the audit. It checks that the
 * credential of its caller (a key, a session, an account or a user) is still valid; an enrolment has no such caller.
 */
function credentialStatements(
  { tableArn }: TableV2,
  { accessEvents, partitions }: Endpoint | Facade,
): PolicyStatement[] {
  // No caller has a credential there, and nothing is noted.
  if (accessEvents === undefined || partitions === 'device_requests') return [];
  // An endpoint without an event of its own shares the role of the others of its group.
  const partitionsOfEvents =
    accessEvents.length === 0 ? [partitionOf('accessEvent')] : accessEvents.map(partitionOfEvent);
  return [
    statement(['PutItem'], [tableArn], only(...new Set(partitionsOfEvents))),
    // A token can rest on role bindings, as the credential of a caller.
    statement(
      ['ConditionCheckItem'],
      [tableArn],
      only(...(partitions === 'enrolment' ? [] : [keys, partitionOf('session'), accounts, users]), roleBindings),
    ),
  ];
}

/**
 * Exactly the table access of an endpoint's contract: an inventory endpoint can neither read nor add a credential, and
 * the endpoints of credentials have no access to the inventory.
 */
export function endpointStatements(table: TableV2, endpoint: Endpoint | Facade): PolicyStatement[] {
  return [...countStatements(table), ...credentialStatements(table, endpoint), ...accessStatements(table, endpoint)];
}

/** Permits recording the use of keys and sessions. */
const useStatements = (tableArn: string) =>
  [keys, partitionOf('session')].map((partition) =>
    statement(['UpdateItem'], [tableArn], onlyAttributes(partition, useAttributes)),
  );

/**
 * Permits updating heartbeats and their groups, and reading what a report is about; only groups are added or removed.
 * For admissions, looking up keys and recording their use. Both share a role: an account has room for a number of them.
 */
function reportStatements(tableArn: string): PolicyStatement[] {
  const [node, service, agent] = [partitionOf('node'), partitionOf('service'), partitionOf('agent')];
  const heartbeats = [...heartbeatPartitions, heartbeatGroups];
  return [
    // Services: for the digest of the targets of a host.
    statement([...readActions, 'Query'], [tableArn], only(node, service, agent, ...heartbeats)),
    statement(['UpdateItem'], [tableArn], only(...heartbeats)),
    statement(['DeleteItem'], [tableArn], only(heartbeatGroups)),
    // Timers are computed again for the node as it was read.
    statement(['ConditionCheckItem'], [tableArn], only(node)),
    statement(readActions, [tableArn], only(keys, partitionOf('keyId'), ...sessions, roleBindings)),
    ...useStatements(tableArn),
  ];
}

const isOwnRole = (group: PartitionGroup): group is OwnRole => Object.hasOwn(ownRoles, group);

const [provider, proof, providerSession] = [
  partitionOf('provider'),
  partitionOf('usedProof'),
  partitionOf('providerSession'),
];
const [slot, renewal] = [partitionOf('sessionSlot'), partitionOf('renewal')];

/**
 * Functions without an authorizer read what anybody sends, and tokens of others. One that is taken over makes no API key and no
 * role binding, and gives no user a role: a log-in opens sessions, sets passwords, and adds the users of providers, whose roles
 * are those of bindings.
 */
const ownRoles: Readonly<Record<OwnRole, (tableArn: string) => PolicyStatement[]>> = {
  device_requests: (tableArn) => [
    statement(['PutItem'], [tableArn], only(partitionOf('device'), partitionOf('userCode'))),
  ],
  provider_log_outs: (tableArn) => [
    statement(['GetItem', 'Query'], [tableArn], only(provider, proof, providerSession, ...sessions, users)),
    // The marks of users are beside the slots of sessions.
    statement(['PutItem'], [tableArn], only(provider, proof, providerSession, slot)),
    statement(['DeleteItem'], [tableArn], only(...sessions, slot, renewal)),
    statement(['UpdateItem'], [tableArn], onlyAttributes(users, ['version'])),
  ],
  log_ins: (tableArn) => {
    const [device, userCode, additions] = [partitionOf('device'), partitionOf('userCode'), partitionOf('additions')];
    const ofProviders = [provider, proof, providerSession];
    const read = only(...sessions, slot, users, roleBindings, renewal, ...ofProviders, device, additions);
    return [
      statement([...readActions, 'Query'], [tableArn], read),
      statement([PUT], [tableArn], only(...sessions, slot, renewal, ...ofProviders, ...tokens)),
      statement(['UpdateItem'], [tableArn], only(renewal, additions)),
      statement(['UpdateItem'], [tableArn], onlyAttributes(users, logInAttributes)),
      statement(['DeleteItem'], [tableArn], only(...sessions, slot, renewal, device, userCode)),
      statement(['ConditionCheckItem'], [tableArn], only(providerSession)),
    ];
  },
  own_key: (tableArn) => [
    statement(readActions, [tableArn], only(keys, partitionOf('keyId'))),
    statement([PUT], [tableArn], only(...apiKeys)),
    statement(['DeleteItem'], [tableArn], only(keys)),
  ],
};

/** The access of an endpoint's contract, also for functions that do the same without a request. */
function accessStatements(
  table: TableV2,
  { access, partitions: group = 'inventory' }: Pick<Endpoint, 'access' | 'partitions'>,
): PolicyStatement[] {
  if (access === 'none') return [];
  const { tableArn } = table;
  const writes = access === 'write';
  if (group === 'reports' || group === 'admissions') return reportStatements(tableArn);
  if (isOwnRole(group)) return ownRoles[group](tableArn);
  if (group === 'summary')
    // Reads what it summarises, also which keys and tokens expire, and writes nothing but the summary.
    return [
      ...accessStatements(table, { access: 'read' }),
      statement([...readActions, 'Query'], [tableArn], only(keys, partitionOf('keyName'), partitionOf('tokenId'))),
      ...writeStatements(tableArn, only(partitionOf('summary')), only(partitionOf('summary'))),
    ];
  if (group !== 'inventory') {
    const partitions = !writes && ADMIN_LISTS.includes(group) ? listedForAdmin : partitionsOf[group];
    const readOnly = [pageTokenSecret, changeShards, stateChanges];
    const writable = partitions.filter((partition) => !readOnly.includes(partition));
    const alterable = writable.filter((partition) => partition !== changes);
    return [
      statement([...readActions, 'Query'], [tableArn], only(...partitions)),
      ...(writes ? writeStatements(tableArn, only(...writable), only(...alterable)) : []),
    ];
  }
  const indexArns = Object.values(indexes).map(({ name }) => `${tableArn}/index/${name}`);
  const inventory = allBut(...credentials, ...auditPartitions);
  const others = [...credentials, ...auditPartitions, pageTokenSecret, changeShards];
  return [
    statement(readActions, [tableArn], inventory),
    statement(['Query'], [tableArn, ...indexArns], inventory),
    ...(writes ? writeStatements(tableArn, allBut(...others), allBut(...others, changes, stateChanges)) : []),
  ];
}

/** @param alterable the part of `puttable` that may also be updated, deleted and checked by a condition. */
function writeStatements(
  tableArn: string,
  puttable: Record<string, unknown>,
  alterable: Record<string, unknown>,
): PolicyStatement[] {
  return [statement([PUT], [tableArn], puttable), statement(alterActions, [tableArn], alterable)];
}

/**
 * Permits resuming a reconciliation, and checking conditions of keys, sessions, passwords and role bindings: the credential that
 * started it must still be valid. Permits no reads of them.
 */
export function jobStatements(table: TableV2, endpoint: Endpoint): PolicyStatement[] {
  return [
    ...accessStatements(table, endpoint),
    statement(
      ['ConditionCheckItem'],
      [table.tableArn],
      only(partitionOf('keyId'), partitionOf('sessionId'), accounts, partitionOf('sessionSlot'), roleBindings),
    ),
  ];
}

/**
 * Permits reading the format of the table, looking up a key, a session, an account, a user or a role binding, and the newest secret of a key by its id, recording the last use of a
 * key, and counting refused callers.
 */
export function authorizerStatements({ tableArn }: TableV2): PolicyStatement[] {
  return [
    statement(
      readActions,
      [tableArn],
      only(format, keys, partitionOf('keyId'), ...sessions, accounts, users, roleBindings),
    ),
    ...useStatements(tableArn),
    refusalStatement(tableArn),
  ];
}

/**
 * Permits putting the account and the secret for page tokens into an empty table, and changing the number of partitions
 * of changes.
 */
/** @param readsAdmins whether the deployment looks for Admins beside the account `admin`. */
export function setUpStatements({ tableArn }: TableV2, { readsAdmins }: { readsAdmins: boolean }): PolicyStatement[] {
  return [
    statement(['PutItem'], [tableArn], only(accounts, pageTokenSecret, changeShards, format)),
    statement(['GetItem'], [tableArn], only(changeShards, format)),
    ...(readsAdmins ? [statement(['Query', 'BatchGetItem'], [tableArn], only(users, roleBindings, ...apiKeys))] : []),
  ];
}

/** Permits a deployment to make and remove API keys, with their count, their private filters and their audit events. */
export function objectsKeyStatements({ tableArn }: TableV2): PolicyStatement[] {
  const filters = partitionOf('savedFilter');
  return [
    statement(['GetItem'], [tableArn], only(format, ...apiKeys)),
    statement(['Query'], [tableArn], only(filters)),
    statement([PUT], [tableArn], only(...apiKeys, partitionOf('accessEvent'))),
    statement(['UpdateItem'], [tableArn], only(partitionOf('keyCounter'))),
    statement(['DeleteItem'], [tableArn], only(...apiKeys, filters)),
  ];
}

/**
 * Permits reading the stream of the table. Lambda refuses an event source mapping without ListStreams, which returns
 * names only and supports no resource:
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html
 */
export function streamStatements(stream: string): PolicyStatement[] {
  return [
    new PolicyStatement({
      actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      resources: [stream],
    }),
    new PolicyStatement({ actions: ['dynamodb:ListStreams'], resources: ['*'] }),
  ];
}
