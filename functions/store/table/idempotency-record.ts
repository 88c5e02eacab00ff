import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { StaleRead } from '../../../shared/db/contention.ts';
import type { Item, Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/http/errors.ts';
import { IDEMPOTENCY_KEY } from '../../../shared/http/idempotency-key.ts';
import type { Idempotency } from '../../../shared/http/idempotency.ts';
import { idempotencyItemKey, TTL_ATTRIBUTE } from './keys.ts';

/** A request under an Idempotency-Key, and when it is made. */
export interface IdempotentWrite {
  idempotency: Idempotency;
  now: Date;
}

const requestSchema = z.object({
  request_hash: z.string(),
  /** What the request was about in the end, as JSON: the answer is made of it. */
  object: z.string(),
  /** Seconds since 1970. */
  [TTL_ATTRIBUTE]: z.int(),
});

const objectSchema = z.record(z.string(), z.unknown());

/** The request took effect before; thrown to leave the transaction that found out. */
export class AlreadyWritten extends Error {
  readonly object: Item;

  constructor(object: Item) {
    super('this request took effect before');
    this.name = 'DoneBefore';
    this.object = object;
  }
}

const secondsOf = (now: Date) => Math.floor(now.getTime() / 1000);

/** @throws ApiError `idempotencyKeyReused` when the key stands for another request. */
function objectOf(item: Item, { requestHash }: Idempotency): Item {
  const { request_hash: known, object } = z.parse(requestSchema, item);
  if (known !== requestHash)
    throw new ApiError(
      'idempotencyKeyReused',
      `This ${IDEMPOTENCY_KEY.name} was used before with a different request.`,
    );
  return z.parse(objectSchema, JSON.parse(object));
}

function refusal(item: Item | undefined, idempotency: Idempotency): Error {
  if (item === undefined) return new StaleRead();
  try {
    return new AlreadyWritten(objectOf(item, idempotency));
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
}

/**
 * Keeps what a request did, in the transaction that does it: neither is there without the other, and of two at the same
 * time the second finds the first. It has to be the first step, before what the first one took.
 */
export function idempotencyItem({ idempotency, now }: IdempotentWrite, object: Item): TransactItem {
  const { callerId, keyHash, requestHash } = idempotency;
  const seconds = secondsOf(now);
  return {
    Put: {
      Item: {
        ...idempotencyItemKey(callerId, keyHash),
        request_hash: requestHash,
        object: JSON.stringify(object),
        [TTL_ATTRIBUTE]: seconds + IDEMPOTENCY_KEY.seconds,
      },
      // DynamoDB takes items away up to days after their time.
      ConditionExpression: 'attribute_not_exists(pk) OR #ttl <= :now',
      ExpressionAttributeNames: { '#ttl': TTL_ATTRIBUTE },
      ExpressionAttributeValues: { ':now': seconds },
    },
    onConditionFailed: (found) => refusal(found, idempotency),
  };
}

/** What did this request make, if it took effect before? One strongly consistent read. */
export async function doneBefore(table: Table, { idempotency, now }: IdempotentWrite): Promise<Item | undefined> {
  const { callerId, keyHash } = idempotency;
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: idempotencyItemKey(callerId, keyHash), ConsistentRead: true }),
  );
  if (Item === undefined || z.parse(requestSchema, Item)[TTL_ATTRIBUTE] <= secondsOf(now)) return undefined;
  return objectOf(Item, idempotency);
}

/** @throws DoneBefore instead of what speaks against an object that was added before: what it needs may be gone since. */
export async function writeOnce<T>(
  table: Table,
  once: IdempotentWrite | undefined,
  make: () => Promise<T>,
): Promise<T> {
  try {
    return await make();
  } catch (error) {
    // A table that does not answer would not answer this either, and the caller is waiting.
    if (once === undefined || (error instanceof ApiError && error.kind === 'unavailable')) throw error;
    const before = await doneBefore(table, once);
    throw before === undefined ? error : new AlreadyWritten(before);
  }
}
