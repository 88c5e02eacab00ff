import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  accountKey,
  API_KEYS_PARTITION,
  apiKeyIdKey,
  apiKeyItemKey,
  indexes,
  pageTokenSecretKey,
} from '../functions/table/keys.ts';
import type { Endpoint } from '../shared/http/endpoint.ts';

const readActions = ['GetItem', 'BatchGetItem'];
// What a transaction consists of is allowed action by action: there is no permission of its own for transactions.
const writeActions = ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'];

const keys = apiKeyItemKey('*').pk;
const accounts = accountKey('*').pk;
const pageTokenSecret = pageTokenSecretKey.pk;

/** Partitions with what lets somebody in. */
const credentials = [keys, apiKeyIdKey('*').pk, API_KEYS_PARTITION, accounts];

/** The slices that work with credentials, and with nothing else in the table. */
const credentialSlices = ['api-keys', 'sessions'];

/** Patterns of partition keys. Conditions hold for every key of a request, also inside transactions and batches. */
const only = (...partitions: string[]) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions },
});
const allBut = (...partitions: string[]) => ({
  'ForAllValues:StringNotLike': { 'dynamodb:LeadingKeys': partitions },
});

function statement(actions: readonly string[], resources: string[], conditions: Record<string, unknown>) {
  return new PolicyStatement({ actions: actions.map((action) => `dynamodb:${action}`), resources, conditions });
}

/**
 * Exactly what an endpoint's contract says about the table, and no more of the table than its slice is about: an inventory
 * endpoint can neither read a credential nor make one, and the endpoints of credentials do not reach the inventory.
 */
export function endpointStatements(table: TableV2, { access, folder }: Endpoint): PolicyStatement[] {
  if (access === 'none') return [];
  const { tableArn } = table;
  const writes = access === 'write';
  if (credentialSlices.some((slice) => folder.startsWith(`${slice}/`))) {
    const actions = [...readActions, 'Query', ...(writes ? writeActions : [])];
    return [statement(actions, [tableArn], only(...credentials, pageTokenSecret))];
  }
  const indexArns = Object.values(indexes).map(({ name }) => `${tableArn}/index/${name}`);
  const inventory = allBut(...credentials);
  return [
    statement(readActions, [tableArn], inventory),
    statement(['Query'], [tableArn, ...indexArns], inventory),
    ...(writes ? [statement(writeActions, [tableArn], allBut(...credentials, pageTokenSecret))] : []),
  ];
}

/** Looks a key or an account up, and notes when a key was last used. */
export function authorizerStatements({ tableArn }: TableV2): PolicyStatement[] {
  return [statement(['GetItem'], [tableArn], only(keys, accounts)), statement(['UpdateItem'], [tableArn], only(keys))];
}

/** Puts the account and the secret for page tokens into an empty table. */
export function setUpStatements({ tableArn }: TableV2): PolicyStatement[] {
  return [statement(['PutItem'], [tableArn], only(accounts, pageTokenSecret))];
}
