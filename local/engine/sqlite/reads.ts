import type { Output } from '../../../shared/db/client.ts';
import type { Item } from '../../../shared/db/item.ts';
import type { Inputs } from './calls.ts';
import { consumed, readUnits } from './capacity.ts';
import { invalid } from './engine-errors.ts';
import {
  parseCondition,
  parseProjection,
  type ParsedCondition,
  type ParsedProjection,
  placeholdersOf,
  project,
  refuseUnordered,
} from './expressions.ts';
import { keyRangeOf, type KeyNames } from './key-range.ts';
import { nameOf, type Placeholders, refuseOverlap } from './paths.ts';
import type { Rows, Take } from './rows.ts';
import type { Tables } from './tables.ts';
import { decode } from './values.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
const PAGE_BYTES = 1024 * 1024;
const MAX_BATCH_GET = 100;
const MAX_BATCH_BYTES = 16 * 1024 * 1024;

const isWanted = ({ ReturnConsumedCapacity: wanted = 'NONE' }: { ReturnConsumedCapacity?: string }) =>
  wanted !== 'NONE';

export const optional = <T>(parse: (text: string) => T, text: string | undefined): T | undefined =>
  text === undefined ? undefined : parse(text);

const projected = (item: Item, projection: ParsedProjection | undefined, of: Placeholders) =>
  projection === undefined ? item : project(item, projection, of);

function parseSelection({ FilterExpression, ProjectionExpression }: Inputs['Scan'], keys?: ParsedCondition) {
  return {
    keys,
    filter: optional(parseCondition, FilterExpression),
    projection: optional(parseProjection, ProjectionExpression),
  };
}

/** @throws DynamoDbError for a filter by attributes of the key, which the condition of keys is for. */
function refuseKeys({ attributes }: ParsedCondition, key: KeyNames, of: Placeholders): void {
  for (const attribute of attributes) {
    const name = nameOf(attribute, of);
    if (name === key.partition || name === key.sort)
      throw invalid(`Filter Expression can only contain non-primary key attributes: Primary key attribute: ${name}`);
  }
}

/** The calls that read. */
export class Reads {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  get(input: Inputs['GetItem']): Output {
    const rows = this.#tables.get(input.TableName);
    const projection = optional(parseProjection, input.ProjectionExpression);
    const of = placeholdersOf(input, projection);
    const stored = rows.get(rows.keyOf(input.Key));
    const CapacityUnits = readUnits(stored?.bytes ?? 0, input.ConsistentRead);
    return {
      ...(stored === undefined ? {} : { Item: projected(stored.item, projection, of) }),
      ...(isWanted(input) ? { ConsumedCapacity: { TableName: input.TableName, CapacityUnits } } : {}),
    };
  }

  batchGet(input: Inputs['BatchGetItem']): Output {
    const requests = Object.entries(input.RequestItems);
    const count = requests.reduce((sum, [, { Keys }]) => sum + Keys.length, 0);
    if (count === 0) throw invalid('The requestItems parameter is required');
    if (count > MAX_BATCH_GET) throw invalid('Too many items requested for the BatchGetItem call');
    const Responses: NonNullable<Output['Responses']> = {};
    const UnprocessedKeys: NonNullable<Output['UnprocessedKeys']> = {};
    const units = new Map<string, number>();
    let bytes = 0;
    for (const [name, request] of requests) {
      const rows = this.#tables.get(name);
      const projection = optional(parseProjection, request.ProjectionExpression);
      const of = placeholdersOf(request, projection);
      const keys = request.Keys.map((key) => rows.keyOf(key));
      if (new Set(keys.map((key) => JSON.stringify(key))).size < keys.length)
        throw invalid('Provided list of item keys contains duplicates');
      const items: Item[] = [];
      let read = 0;
      for (; read < keys.length && bytes <= MAX_BATCH_BYTES; read += 1) {
        const stored = rows.get(keys[read] ?? ['', '']);
        units.set(name, (units.get(name) ?? 0) + readUnits(stored?.bytes ?? 0, request.ConsistentRead));
        if (stored === undefined) continue;
        bytes += stored.bytes;
        items.push(projected(stored.item, projection, of));
      }
      Responses[name] = items;
      if (read < keys.length) UnprocessedKeys[name] = { ...request, Keys: request.Keys.slice(read) };
    }
    return { Responses, UnprocessedKeys, ...(isWanted(input) ? { ConsumedCapacity: consumed(units) } : {}) };
  }

  query(input: Inputs['Query']): Output {
    const rows = this.#tables.get(input.TableName);
    const { IndexName: index, ScanIndexForward: isForward = true, ExclusiveStartKey: start, Limit: limit } = input;
    if (index !== undefined && input.ConsistentRead === true)
      throw invalid('Consistent reads are not supported on global secondary indexes');
    const keys = parseCondition(input.KeyConditionExpression);
    const selection = parseSelection(input, keys);
    const of = placeholdersOf(input, keys, selection.filter, selection.projection);
    const key = rows.keyNamesOf(index);
    const range = keyRangeOf(keys, key, of);
    if (selection.filter !== undefined) refuseKeys(selection.filter, key, of);
    return readPage({ input, rows, index, of, ...selection }, (take) =>
      rows.query({ index, range, start, isForward, limit }, take),
    );
  }

  scan(input: Inputs['Scan']): Output {
    const rows = this.#tables.get(input.TableName);
    const selection = parseSelection(input);
    const of = placeholdersOf(input, selection.filter, selection.projection);
    // One segment has all.
    if (input.Segment !== undefined && input.Segment > 0) return { Items: [], Count: 0 };
    return readPage({ input, rows, index: undefined, of, ...selection }, (take) =>
      rows.scan(input.ExclusiveStartKey, input.Limit, take),
    );
  }
}

interface Page {
  input: Inputs['Scan'];
  rows: Rows;
  index: string | undefined;
  filter: ParsedCondition | undefined;
  projection: ParsedProjection | undefined;
  of: Placeholders;
}

/** A page ends with its limit of items, or with the item that exceeds its bytes, before the filter. */
function readPage({ input, rows, index, filter, projection, of }: Page, read: (take: Take) => void): Output {
  const { Limit: limit = Infinity } = input;
  if (limit < 1) throw invalid('1 validation error detected: Value at limit must be at least 1');
  if (filter !== undefined) refuseUnordered(filter, of);
  refuseOverlap(projection?.paths ?? [], of);
  const isCount = input.Select === 'COUNT';
  const Items: Item[] = [];
  let [scanned, Count, bytes] = [0, 0, 0];
  let end: Item | undefined;
  read((text, size) => {
    scanned += 1;
    bytes += size;
    const isLast = scanned >= limit || bytes > PAGE_BYTES;
    if (isLast) end = rows.positionOf(decode(text), index);
    const item = isCount && filter === undefined ? undefined : decode(text);
    if (item === undefined || filter === undefined || filter.test(item, of)) {
      Count += 1;
      if (item !== undefined && !isCount) Items.push(projected(item, projection, of));
    }
    return !isLast;
  });
  const CapacityUnits = readUnits(bytes, input.ConsistentRead);
  return {
    ...(isCount ? {} : { Items }),
    Count,
    ...(end === undefined ? {} : { LastEvaluatedKey: end }),
    ...(isWanted(input) ? { ConsumedCapacity: { TableName: input.TableName, CapacityUnits } } : {}),
  };
}
