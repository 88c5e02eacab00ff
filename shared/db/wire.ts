import { toAttributes, toItem } from './attribute-values.ts';
import { isRecord, type Item } from './item.ts';
import {
  type CancellationReason,
  ConditionalCheckFailedException,
  DynamoDbError,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from './table-errors.ts';

/*
 * The low-level API of DynamoDB as JSON over HTTP:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.LowLevelAPI.html
 */

/** Fields of a call whose value is a map of attribute values. */
const holdingAttributes: ReadonlySet<string> = new Set([
  'Item',
  'Key',
  'ExpressionAttributeValues',
  'ExclusiveStartKey',
]);

function fieldToWire(name: string, value: unknown): unknown {
  if (isRecord(value) && holdingAttributes.has(name)) return toAttributes(value);
  if (Array.isArray(value) && name === 'Keys') return value.filter(isRecord).map(toAttributes);
  return name === 'ExpressionAttributeNames' ? value : toWire(value);
}

/** An input with plain values as the API takes it. */
export function toWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toWire);
  if (!isRecord(value)) return value;
  const converted: Record<string, unknown> = {};
  for (const name of Object.keys(value)) converted[name] = fieldToWire(name, value[name]);
  return converted;
}

/** What a call returned, with plain values. */
export interface Output {
  Item?: Item | undefined;
  Attributes?: Item | undefined;
  Items?: Item[] | undefined;
  Count?: number | undefined;
  LastEvaluatedKey?: Item | undefined;
  /** Of a BatchGetItem: the items by table. */
  Responses?: Record<string, Item[]> | undefined;
  UnprocessedKeys?: Record<string, { Keys: Item[] }> | undefined;
  UnprocessedItems?: Record<string, ({ PutRequest: { Item: Item } } | { DeleteRequest: { Key: Item } })[]> | undefined;
  ConsumedCapacity?: unknown;
  /** Of a DescribeTable. */
  Table?: unknown;
}

function list<Entry>(value: unknown, read: (entry: unknown) => Entry): Entry[] {
  if (!Array.isArray(value)) throw new TypeError('not a list');
  return value.map(read);
}

function map<Entry>(value: unknown, read: (entry: unknown) => Entry): Record<string, Entry> {
  if (!isRecord(value)) throw new TypeError('not a map');
  const entries: Record<string, Entry> = {};
  // The names are those of tables.
  for (const name in value) entries[name] = read(value[name]);
  return entries;
}

const toItems = (value: unknown) => list(value, toItem);

const fieldOf = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined);

const toKeys = (value: unknown) => ({ Keys: toItems(fieldOf(value, 'Keys')) });

function toRequest(value: unknown) {
  const put = fieldOf(value, 'PutRequest');
  if (put !== undefined) return { PutRequest: { Item: toItem(fieldOf(put, 'Item')) } };
  return { DeleteRequest: { Key: toItem(fieldOf(fieldOf(value, 'DeleteRequest'), 'Key')) } };
}

const ifThere = <Value>(value: unknown, read: (value: unknown) => Value): Value | undefined =>
  value === undefined ? undefined : read(value);

const toResponses = (tables: unknown) => map(tables, toItems);
const toUnprocessedKeys = (tables: unknown) => map(tables, toKeys);
const toUnprocessedItems = (tables: unknown) => map(tables, (all) => list(all, toRequest));

/** What a reply means. */
export function outputOf(reply: Record<string, unknown>): Output {
  return {
    Item: ifThere(reply['Item'], toItem),
    Attributes: ifThere(reply['Attributes'], toItem),
    Items: ifThere(reply['Items'], toItems),
    Count: ifThere(reply['Count'], Number),
    LastEvaluatedKey: ifThere(reply['LastEvaluatedKey'], toItem),
    Responses: ifThere(reply['Responses'], toResponses),
    UnprocessedKeys: ifThere(reply['UnprocessedKeys'], toUnprocessedKeys),
    UnprocessedItems: ifThere(reply['UnprocessedItems'], toUnprocessedItems),
    ConsumedCapacity: reply['ConsumedCapacity'],
    Table: reply['Table'],
  };
}

const textIn = (body: Record<string, unknown>, name: string) => {
  const text = body[name];
  return typeof text === 'string' ? text : undefined;
};

function toReason(value: unknown): CancellationReason {
  if (!isRecord(value)) throw new TypeError('not a cancellation reason');
  return { Code: textIn(value, 'Code'), Message: textIn(value, 'Message'), Item: ifThere(value['Item'], toItem) };
}

/** The error in a reply that is not 200. */
export function errorOf(status: number, body: Record<string, unknown>): DynamoDbError {
  // `com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException`
  const name = /[^#]*$/.exec(textIn(body, '__type') ?? '')?.[0] ?? '';
  const message = textIn(body, 'message') ?? textIn(body, 'Message') ?? name;
  const details = { message, status };
  switch (name) {
    case 'ConditionalCheckFailedException':
      return new ConditionalCheckFailedException({ ...details, Item: ifThere(body['Item'], toItem) });
    case 'TransactionCanceledException':
      return new TransactionCanceledException({
        ...details,
        CancellationReasons: list(body['CancellationReasons'] ?? [], toReason),
      });
    case 'TransactionConflictException':
      return new TransactionConflictException(details);
    case 'TransactionInProgressException':
      return new TransactionInProgressException(details);
    default:
      return new DynamoDbError(name === '' ? 'UnknownError' : name, details);
  }
}
