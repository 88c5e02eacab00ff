import * as z from 'zod/mini';
import { lazily } from '../../../shared/core/lazily.ts';
import { ABSENT, isAtMost, or } from '../../../shared/db/conditions.ts';
import { StaleRead } from '../../../shared/db/contention.ts';
import { endAfter, secondsOf } from '../../../shared/core/seconds.ts';
import type { Item, Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { IDEMPOTENCY_KEY } from '../../../shared/http/idempotency-key.ts';
import type { Idempotency } from '../../../shared/http/idempotency.ts';
import { idempotencyItemKey, TTL_ATTRIBUTE } from './keys.ts';
import { readItem } from './read.ts';

/** A request with an Idempotency-Key, and the time of the request. */
export interface IdempotentWrite {
  idempotency: Idempotency;
  now: Date;
}

const requestSchema = lazily(() =>
  z.object({
    request_hash: z.string(),
    /** The object that the request wrote, as JSON. A repeated request gets its reply from it. */
    object: z.string(),
    /** Seconds since 1970. */
    [TTL_ATTRIBUTE]: z.int(),
  }),
);

const objectSchema = lazily(() => z.record(z.string(), z.unknown()));

/** The transaction was refused because the request took effect before. */
export class RepeatedRequest extends Error {
  readonly kept: Item;

  constructor(kept: Item) {
    super('this request took effect before');
    this.name = 'RepeatedRequest';
    this.kept = kept;
  }
}

/** @throws ApiError `idempotencyKeyReused` when the key was sent with another request before. */
function objectOf(item: Item, { requestHash }: Idempotency): Item {
  const { request_hash: storedHash, object } = z.parse(requestSchema(), item);
  if (storedHash !== requestHash)
    throw new ApiError(
      'idempotencyKeyReused',
      `This ${IDEMPOTENCY_KEY.name} was used before with a different request.`,
    );
  return z.parse(objectSchema(), JSON.parse(object));
}

function refusal(item: Item | undefined, idempotency: Idempotency): Error {
  if (item === undefined) return new StaleRead();
  try {
    return new RepeatedRequest(objectOf(item, idempotency));
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
}

/**
 * Records the effect of a request in the same transaction, so that the effect and its record are written together or
 * not at all. Of two simultaneous requests with the same key, the second fails on this item. It has to be the first
 * item of the transaction: otherwise a repeated request would fail on the claims that the first request wrote.
 */
export function idempotencyItem({ idempotency, now }: IdempotentWrite, object: Item): TransactItem {
  const { callerId, keyHash, requestHash } = idempotency;
  return {
    put: {
      ...idempotencyItemKey(callerId, keyHash),
      request_hash: requestHash,
      object: JSON.stringify(object),
      [TTL_ATTRIBUTE]: endAfter(now, IDEMPOTENCY_KEY.seconds),
    },
    // DynamoDB deletes expired items up to days late, so an expired record may be overwritten.
    condition: or(ABSENT, isAtMost(TTL_ATTRIBUTE, secondsOf(now))),
    onConditionFailed: (item) => refusal(item, idempotency),
  };
}

/** The object that this request wrote when it took effect before, else undefined. One strongly consistent read. */
export async function writtenBefore(table: Table, { idempotency, now }: IdempotentWrite): Promise<Item | undefined> {
  const { callerId, keyHash } = idempotency;
  const item = await readItem(table, idempotencyItemKey(callerId, keyHash));
  if (item === undefined || z.parse(requestSchema(), item)[TTL_ATTRIBUTE] <= secondsOf(now)) return undefined;
  return objectOf(item, idempotency);
}
