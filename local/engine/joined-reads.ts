import { AsyncLocalStorage } from 'node:async_hooks';
import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import DataLoader from 'dataloader';
import { nameOfKey } from '../../functions/store/table/keys.ts';
import type { DynamoDbCall, Send } from '../../shared/db/client.ts';
import { isRecord, type Item } from '../../shared/db/item.ts';
import type { Table } from '../../shared/db/table.ts';
import { DynamoDbError } from '../../shared/db/table-errors.ts';

/** Longer reads gain nothing. */
const MAX_KEYS = 4;

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html */
const MAX_BATCH = 100;

/** The batch has no reply for this key, which may be the fault of another one: a key that is too long, for example. */
class UnansweredKey extends Error {}

/** The keys of a strongly consistent read of a few whole items of the table. @returns undefined for other calls. */
function keysOf({ operation, input }: DynamoDbCall, table: string): Item[] | undefined {
  if (operation === 'GetItem') {
    const { TableName, Key, ConsistentRead, ...more } = input;
    const isWhole = TableName === table && ConsistentRead === true && Object.keys(more).length === 0;
    return isWhole && isRecord(Key) ? [Key] : undefined;
  }
  if (operation !== 'BatchGetItem' || Object.keys(input).length > 1 || !isRecord(input['RequestItems']))
    return undefined;
  const { [table]: ofTable, ...others } = input['RequestItems'];
  if (!isRecord(ofTable) || Object.keys(others).length > 0) return undefined;
  const { Keys, ConsistentRead, ...more } = ofTable;
  if (!Array.isArray(Keys) || ConsistentRead !== true || Object.keys(more).length > 0) return undefined;
  return Keys.length <= MAX_KEYS ? Keys.filter(isRecord) : undefined;
}

/**
 * The number of turns of the event loop for which a read waits: microseconds on an idle server. A busy one makes fewer and
 * larger batches, and needs 15 % less time for a get.
 */
const TURNS = 3;

function afterTurns(turns: number, work: () => void): void {
  setImmediate(turns === 1 ? work : () => afterTurns(turns - 1, work));
}

/** Reads in one batch what was asked for in these turns; the same key once. */
function loaderOf(table: string, send: Send): DataLoader<Item, Item | undefined, string> {
  // A batch has no deadline: it belongs to several requests, and each of them has its own.
  const outsideRequests = AsyncLocalStorage.snapshot();
  const readBatch = async (keys: readonly Item[]): Promise<(Item | undefined | UnansweredKey)[]> => {
    // Nothing is kept: a read that begins now sees the writes before it.
    loader.clearAll();
    try {
      const RequestItems = { [table]: { Keys: [...keys], ConsistentRead: true } };
      const command = new BatchGetCommand({ RequestItems });
      const reply = await outsideRequests(send, { operation: 'BatchGetItem', input: { RequestItems }, command });
      const found = new Map(reply.Responses?.[table]?.map((item) => [nameOfKey(item), item]));
      const left = new Set(reply.UnprocessedKeys?.[table]?.Keys.map(nameOfKey));
      return keys.map(nameOfKey).map((name) => (left.has(name) ? new UnansweredKey() : found.get(name)));
    } catch (error) {
      if (error instanceof DynamoDbError && error.status < 500) return keys.map(() => new UnansweredKey());
      throw error;
    }
  };
  const loader = new DataLoader<Item, Item | undefined, string>(readBatch, {
    cacheKeyFn: nameOfKey,
    maxBatchSize: MAX_BATCH,
    batchScheduleFn: (begin) => afterTurns(TURNS, begin),
  });
  return loader;
}

/**
 * Joins the strongly consistent reads of single items that simultaneous requests make: one call of the engine for all of
 * them. Lambda serves one request at a time, the local server many.
 */
export function joinReads({ client, name }: Table): void {
  client.use((next) => {
    const loader = loaderOf(name, next);
    return async (call) => {
      const keys = keysOf(call, name);
      if (keys === undefined) return next(call);
      try {
        const read = await Promise.all(keys.map((key) => loader.load(key)));
        // Each request has items of its own.
        const items = read.filter((item) => item !== undefined).map((item) => ({ ...item }));
        return call.operation === 'GetItem' ? { Item: items[0] } : { Responses: { [name]: items } };
      } catch (error) {
        if (error instanceof UnansweredKey) return next(call);
        throw error;
      }
    };
  });
}
