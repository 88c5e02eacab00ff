import { processClock } from '../../../shared/core/monotonic-clock.ts';
import { createHash } from 'node:crypto';
import type { Output } from '../../../shared/db/client.ts';
import type { Item } from '../../../shared/db/item.ts';
import {
  type CancellationReason,
  ConditionalCheckFailedException,
  DynamoDbError,
  TransactionCanceledException,
} from '../../../shared/db/table-errors.ts';
import type { Actions, Inputs } from './calls.ts';
import { consumed, writeUnits } from './capacity.ts';
import type { Database } from './database.ts';
import { invalid, invalidParameter } from './engine-errors.ts';
import {
  parseCondition,
  type ParsedUpdate,
  parseUpdate,
  placeholdersOf,
  refuseUnordered,
  update,
} from './expressions.ts';
import { nameOf, type Placeholders } from './paths.ts';
import { optional } from './reads.ts';
import type { KeyValues, NewItem, Rows, StoredItem } from './rows.ts';
import type { Tables } from './tables.ts';
import { decode } from './values.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
const MAX_BATCH_WRITE = 25;
const MAX_ACTIONS = 100;
const MAX_TRANSACTION_BYTES = 4 * 1024 * 1024;

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
const TOKEN_MS = 10 * 60 * 1000;

const FAILED = 'The conditional request failed';

/** A write whose condition is met, before it is made. */
interface Change {
  rows: Rows;
  key: KeyValues;
  before: StoredItem | undefined;
  /** Undefined: there is no such item afterwards. */
  after: NewItem | StoredItem | undefined;
  make: () => void;
}

/** A write whose condition is not met. */
interface Refusal {
  /** The present item, if the caller wants it. */
  present: Item | undefined;
}

const isRefusal = (change: Change | Refusal): change is Refusal => 'present' in change;

/** The item does not fit what is stored: in a transaction, a reason of its own. */
class UnfitItem extends DynamoDbError {}

/** @throws UnfitItem instead of DynamoDbError. */
function fitting<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof DynamoDbError && error.status < 500
      ? new UnfitItem(error.name, { message: error.message })
      : error;
  }
}

function refuseKeyChange({ clauses }: ParsedUpdate, { schema }: Rows, of: Placeholders): void {
  for (const { path } of clauses) {
    const name = nameOf(path[0], of);
    if (Object.values(schema.key).includes(name))
      throw invalidParameter(`Cannot update attribute ${name}. This attribute is part of the key`);
  }
}

/** The calls that write. */
export class Writes {
  readonly #database: Database;
  readonly #tables: Tables;
  readonly #now: () => number;
  /** The transactions of the last minutes, the oldest first. */
  readonly #tokens = new Map<string, { digest: string; at: number }>();

  constructor(database: Database, tables: Tables, now = processClock.now) {
    this.#database = database;
    this.#tables = tables;
    this.#now = now;
  }

  put(input: Inputs['PutItem']): Output {
    return this.#write(input, this.#plan({ Put: input }));
  }

  update(input: Inputs['UpdateItem']): Output {
    return this.#write(input, this.#plan({ Update: input }));
  }

  delete(input: Inputs['DeleteItem']): Output {
    return this.#write(input, this.#plan({ Delete: input }));
  }

  /** The change that an action makes, if its condition is met. */
  #plan(action: Partial<Actions>): Change | Refusal {
    const { Put, Update, Delete, ConditionCheck } = action;
    const input = Put ?? Update ?? Delete ?? ConditionCheck;
    if (input === undefined) throw invalid('An action is required');
    const rows = this.#tables.get(input.TableName);
    const condition = optional(parseCondition, input.ConditionExpression);
    const change = optional(parseUpdate, Update?.UpdateExpression);
    const of = placeholdersOf(input, condition, change);
    if (condition !== undefined) refuseUnordered(condition, of);
    if (change !== undefined) refuseKeyChange(change, rows, of);
    const put = Put && rows.newItem(Put.Item);
    const key = put?.key ?? rows.keyOf('Key' in input ? input.Key : {});
    const before = rows.get(key);
    if (condition !== undefined && !condition.test(before?.item, of))
      return { present: input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' ? before?.item : undefined };
    if (Delete !== undefined) return { rows, key, before, after: undefined, make: () => before && rows.delete(key) };
    if (ConditionCheck !== undefined) return { rows, key, before, after: before, make: () => undefined };
    const after = put ?? this.#updated(rows, Update?.Key ?? {}, { before, change, of });
    return { rows, key, before, after, make: () => rows.put(after) };
  }

  #updated(
    rows: Rows,
    key: Item,
    { before, change, of }: { before: StoredItem | undefined; change: ParsedUpdate | undefined; of: Placeholders },
  ): NewItem {
    const item = before === undefined ? { ...key } : structuredClone(before.item);
    return fitting(() => {
      if (change !== undefined) update(item, change, of);
      return rows.newItem(item);
    });
  }

  #makeAll(changes: readonly Change[]): void {
    this.#database.transaction(() => {
      for (const { make } of changes) make();
    });
  }

  #write(input: Omit<Inputs['DeleteItem'], 'Key'>, change: Change | Refusal): Output {
    if (isRefusal(change)) throw new ConditionalCheckFailedException({ message: FAILED, Item: change.present });
    const { ReturnValues: returned = 'NONE' } = input;
    if (!['NONE', 'ALL_OLD', 'ALL_NEW'].includes(returned)) throw invalid(`ReturnValues ${returned} is not supported`);
    this.#makeAll([change]);
    const { before, after } = change;
    const attributes =
      returned === 'ALL_OLD' ? before?.item : after && 'text' in after ? decode(after.text) : undefined;
    return {
      ...(returned === 'NONE' || attributes === undefined ? {} : { Attributes: attributes }),
      ...this.#capacity(input, [change], 1, ([change]) => change),
    };
  }

  batchWrite(input: Inputs['BatchWriteItem']): Output {
    const actions = Object.entries(input.RequestItems).flatMap(([TableName, requests]) =>
      requests.map(({ PutRequest, DeleteRequest }): Partial<Actions> => ({
        ...(PutRequest === undefined ? {} : { Put: { TableName, ...PutRequest } }),
        ...(DeleteRequest === undefined ? {} : { Delete: { TableName, ...DeleteRequest } }),
      })),
    );
    if (actions.length === 0 || actions.length > MAX_BATCH_WRITE)
      throw invalid('Too many items requested for the BatchWriteItem call');
    // Without conditions, no write is refused.
    const changes = actions.flatMap((action) => {
      const change = this.#plan(action);
      return isRefusal(change) ? [] : change;
    });
    refuseRepeatedKeys(changes, 'Provided list of item keys contains duplicates');
    this.#makeAll(changes);
    return { UnprocessedItems: {}, ...this.#capacity(input, changes, 1) };
  }

  transactWrite({ ClientRequestToken: token, ...input }: Inputs['TransactWriteItems']): Output {
    const { TransactItems: actions } = input;
    const digest = token === undefined ? '' : createHash('sha256').update(JSON.stringify(actions)).digest('hex');
    if (token !== undefined && this.#isRepeated(token, digest)) return {};
    if (actions.length === 0 || actions.length > MAX_ACTIONS)
      throw invalid(`A transaction must have 1 to ${MAX_ACTIONS} actions`);
    const keys = actions.map((action) => this.#keyOf(action));
    refuseRepeatedKeys(keys, 'Transaction request cannot include multiple operations on one item');
    const changes: Change[] = [];
    const reasons = actions.map((action): CancellationReason => {
      try {
        const change = this.#plan(action);
        if (isRefusal(change)) return { Code: 'ConditionalCheckFailed', Message: FAILED, Item: change.present };
        changes.push(change);
        return { Code: 'None' };
      } catch (error) {
        if (error instanceof UnfitItem) return { Code: 'ValidationError', Message: error.message };
        throw error;
      }
    });
    const codes = reasons.map(({ Code }) => Code);
    if (codes.some((code) => code !== 'None'))
      throw new TransactionCanceledException({
        message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(', ')}]`,
        CancellationReasons: reasons,
      });
    if (changes.reduce((sum, { after }) => sum + (after?.bytes ?? 0), 0) > MAX_TRANSACTION_BYTES)
      throw invalid('Collection size of items in the transaction exceeded the maximum allowed size of 4 MB');
    this.#makeAll(changes);
    if (token !== undefined) this.#tokens.set(token, { digest, at: this.#now() });
    return this.#capacity(input, changes, 2);
  }

  #keyOf({ Put, Update, Delete, ConditionCheck }: Partial<Actions>): { rows: Rows; key: KeyValues } {
    const keyed = Update ?? Delete ?? ConditionCheck;
    const rows = this.#tables.get((Put ?? keyed)?.TableName ?? '');
    if (Put === undefined) return { rows, key: rows.keyOf(keyed?.Key ?? {}) };
    const { partition, sort } = rows.schema.key;
    return { rows, key: [String(Put.Item[partition]), String(Put.Item[sort])] };
  }

  #isRepeated(token: string, digest: string): boolean {
    const now = this.#now();
    for (const [old, { at }] of this.#tokens)
      if (now - at > TOKEN_MS) this.#tokens.delete(old);
      else break;
    const before = this.#tokens.get(token);
    if (before === undefined || before.digest === digest) return before !== undefined;
    throw new DynamoDbError('IdempotentParameterMismatchException', {
      message: 'The request uses the same client token as a previous, but non-identical request.',
    });
  }

  #capacity(
    { ReturnConsumedCapacity: wanted = 'NONE' }: { ReturnConsumedCapacity?: string },
    changes: readonly Change[],
    factor: number,
    shape: (units: ReturnType<typeof consumed>) => unknown = (units) => units,
  ): Output {
    if (wanted === 'NONE') return {};
    const units = new Map<string, number>();
    for (const change of changes) {
      const { schema } = change.rows;
      units.set(schema.name, (units.get(schema.name) ?? 0) + writeUnits(schema, change, factor));
    }
    return { ConsumedCapacity: shape(consumed(units)) };
  }
}

function refuseRepeatedKeys(all: readonly { rows: Rows; key: KeyValues }[], message: string): void {
  const keys = new Set(all.map(({ rows, key }) => JSON.stringify([rows.schema.name, ...key])));
  if (keys.size < all.length) throw invalid(message);
}
