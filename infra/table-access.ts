import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  ACCESS_EVENTS_PARTITION,
  accountKey,
  API_KEYS_PARTITION,
  apiKeyIdKey,
  apiKeyItemKey,
  changeKey,
  containerClaim,
  ENROLMENT_TOKENS_PARTITION,
  enrolmentTokenKey,
  labelIndexPartition,
  heartbeatPartitions,
  indexes,
  overflowPartition,
  nodeAddressClaim,
  nodeNameClaim,
  objectKey,
  pageTokenSecretKey,
  rateKey,
  refusalAttributes,
  REFUSALS_PARTITION,
  SESSIONS_PARTITION,
  tableKey,
  useAttributes,
} from '../functions/store/table/keys.ts';
import type { Endpoint, PartitionGroup } from '../shared/http/endpoint.ts';

const readActions = ['GetItem', 'BatchGetItem'];
// What a transaction consists of is allowed action by action: there is no permission of its own for transactions.
const PUT = 'PutItem';
const alterActions = ['UpdateItem', 'DeleteItem', 'ConditionCheckItem'];

const keys = apiKeyItemKey('*').pk;
const accounts = accountKey('*').pk;
const pageTokenSecret = pageTokenSecretKey.pk;

/** Records of changes are put, and never altered. */
const changes = changeKey('*').pk;

const tokens = [enrolmentTokenKey('*').pk, ENROLMENT_TOKENS_PARTITION];
const apiKeys = [keys, apiKeyIdKey('*').pk, API_KEYS_PARTITION];

/** How many requests a key made: `RATE#<key id>#<minute>`. */
const rates = rateKey('*', '*').pk;

/** Partitions with what lets somebody in, or keeps them out. */
const credentials = [...apiKeys, SESSIONS_PARTITION, accounts, ...tokens, rates];

/** What the audit holds besides the changes; nobody may take anything out of it, nor write over it. */
const auditPartitions = [ACCESS_EVENTS_PARTITION, REFUSALS_PARTITION];

/** What each group contains, besides the inventory, which is everything but credentials and the audit. */
const partitionsOf: Readonly<Record<Exclude<PartitionGroup, 'inventory'>, readonly string[]>> = {
  api_keys: [...apiKeys, pageTokenSecret],
  sessions: [keys, apiKeyIdKey('*').pk, SESSIONS_PARTITION, pageTokenSecret],
  enrolment_tokens: [...tokens, pageTokenSecret],
  audit: [changes, ...auditPartitions, pageTokenSecret],
  // A token is traded for a node and its key: the objects themselves, and the names and addresses that they claim.
  enrolment: [
    ...tokens,
    ...apiKeys,
    objectKey('node', '*').pk,
    nodeNameClaim('*').pk,
    nodeAddressClaim('*', '*').pk,
    containerClaim('*').pk,
    changes,
    labelIndexPartition('node', '*', '*'),
    overflowPartition('node'),
    ...heartbeatPartitions,
  ],
};

const LEADING_KEYS = 'dynamodb:LeadingKeys';
const ATTRIBUTES = 'dynamodb:Attributes';

/** `ForAllValues` also holds where a request has no such value at all: so each of these must be there. */
const present = (...names: string[]) => ({ Null: Object.fromEntries(names.map((name) => [name, 'false'])) });

/** Patterns of partition keys. Conditions hold for every key of a request, also inside transactions and batches. */
const only = (...partitions: string[]) => ({
  'ForAllValues:StringLike': { [LEADING_KEYS]: partitions },
  ...present(LEADING_KEYS),
});
const allBut = (...partitions: string[]) => ({
  'ForAllValues:StringNotLike': { [LEADING_KEYS]: partitions },
  ...present(LEADING_KEYS),
});

/**
 * An update that names no other attributes: not to set, not to remove, not in its condition. The key attributes are named by
 * every request. What an update returns is not limited by the attributes that it names, so that must be nothing.
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

/**
 * A request of a key with a limit is counted, whatever it asks for, and one that is refused: nothing but that, and nothing
 * where nobody says who they are.
 */
function countStatements({ tableArn }: TableV2, endpoint: Endpoint): PolicyStatement[] {
  if (endpoint.role !== 'none') return [statement(['UpdateItem'], [tableArn], only(rates, REFUSALS_PARTITION))];
  return endpoint.partitions === 'enrolment' ? [statement(['UpdateItem'], [tableArn], only(REFUSALS_PARTITION))] : [];
}

/**
 * An endpoint that changes credentials adds events to the audit, and can do nothing else there. It checks that the
 * credential of its caller, a key, a session or an account, is still valid; an enrolment has no such caller.
 */
function credentialStatements({ tableArn }: TableV2, { accessEvents, role }: Endpoint): PolicyStatement[] {
  if (accessEvents === undefined) return [];
  return [
    statement(['PutItem'], [tableArn], only(ACCESS_EVENTS_PARTITION)),
    ...(role === 'none' ? [] : [statement(['ConditionCheckItem'], [tableArn], only(keys, accounts))]),
  ];
}

/**
 * Exactly what an endpoint's contract states about the table: an inventory endpoint can neither read a credential nor add one, and
 * the endpoints of credentials do not reach the inventory.
 */
export function endpointStatements(table: TableV2, endpoint: Endpoint): PolicyStatement[] {
  return [
    ...countStatements(table, endpoint),
    ...credentialStatements(table, endpoint),
    ...accessStatements(table, endpoint),
  ];
}

/** What the contract of an endpoint says, for whoever does the same without a request. */
export function accessStatements(
  { tableArn }: TableV2,
  { access, partitions: group = 'inventory' }: Pick<Endpoint, 'access' | 'partitions'>,
): PolicyStatement[] {
  if (access === 'none') return [];
  const writes = access === 'write';
  if (group !== 'inventory') {
    const partitions = partitionsOf[group];
    const own = partitions.filter((partition) => partition !== pageTokenSecret);
    const alterable = own.filter((partition) => partition !== changes);
    return [
      statement([...readActions, 'Query'], [tableArn], only(...partitions)),
      ...(writes ? writeStatements(tableArn, only(...own), only(...alterable)) : []),
    ];
  }
  const indexArns = Object.values(indexes).map(({ name }) => `${tableArn}/index/${name}`);
  const inventory = allBut(...credentials, ...auditPartitions);
  const others = [...credentials, ...auditPartitions, pageTokenSecret];
  return [
    statement(readActions, [tableArn], inventory),
    statement(['Query'], [tableArn, ...indexArns], inventory),
    ...(writes ? writeStatements(tableArn, allBut(...others), allBut(...others, changes)) : []),
  ];
}

/** @param alterable of what may be put: what may also be updated and deleted, and checked by a condition. */
function writeStatements(
  tableArn: string,
  puttable: Record<string, unknown>,
  alterable: Record<string, unknown>,
): PolicyStatement[] {
  return [statement([PUT], [tableArn], puttable), statement(alterActions, [tableArn], alterable)];
}

/** Looks for what is due and removes it, as the endpoint of that does on demand. */
export function cleanupStatements(table: TableV2): PolicyStatement[] {
  return accessStatements(table, { access: 'write' });
}

/**
 * Goes on with a reconciliation while the credential that started it is valid: it checks conditions of keys, sessions and
 * passwords, and can read none of them.
 */
export function jobStatements(table: TableV2, endpoint: Endpoint): PolicyStatement[] {
  return [
    ...accessStatements(table, endpoint),
    statement(['ConditionCheckItem'], [table.tableArn], only(apiKeyIdKey('*').pk, accounts, SESSIONS_PARTITION)),
  ];
}

/** Looks a key or an account up, notes when a key was last used, and counts whom it does not let in. */
export function authorizerStatements({ tableArn }: TableV2): PolicyStatement[] {
  return [
    statement(['GetItem'], [tableArn], only(keys, accounts)),
    statement(['UpdateItem'], [tableArn], onlyAttributes(keys, useAttributes)),
    statement(['UpdateItem'], [tableArn], onlyAttributes(REFUSALS_PARTITION, refusalAttributes)),
  ];
}

/** Puts the account and the secret for page tokens into an empty table. */
export function setUpStatements({ tableArn }: TableV2): PolicyStatement[] {
  return [statement(['PutItem'], [tableArn], only(accounts, pageTokenSecret))];
}
