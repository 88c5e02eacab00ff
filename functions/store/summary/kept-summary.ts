import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod/mini';
import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { ABSENT } from '../../../shared/db/conditions.ts';
import type { Item, Table } from '../../../shared/db/table.ts';
import { Contention } from '../../../shared/db/contention.ts';
import { ConditionalCheckFailedException, TransactionConflictException } from '../../../shared/db/table-errors.ts';
import { SUMMARY_SECONDS } from '../../domain/records/summary.ts';
import { countKey, summaryKey } from '../table/keys.ts';
import { newTransactionName } from '../table/random-suffix.ts';
import { changeCountSchema, latestSchema } from './changes.ts';
import { progressSchema } from './count.ts';
import { resultSchema } from './tally.ts';

/** The longest time that a request computes a part of the summary. Then another one may. */
const LEASE_MS = 30_000;

const storedSchema = z.object({ computed_at: z.number(), text: z.instanceof(Uint8Array) });

const contentsSchema = z.object({
  count: resultSchema,
  /** Milliseconds since 1970. */
  countedAt: z.number(),
  /** Whether the first count has not ended, so that the next request continues it at once. */
  isPartial: z.boolean(),
  hasAllChanges: z.boolean(),
  findings: resultSchema.shape.findings,
  hours: changeCountSchema.shape.hours,
  latest: z.array(latestSchema),
});

export type Contents = z.output<typeof contentsSchema>;

export interface KeptSummary extends Contents {
  /** Milliseconds since 1970. */
  at: number;
}

const pack = (value: object) => deflateRawSync(JSON.stringify(value));
const unpack = (text: Uint8Array): unknown => JSON.parse(inflateRawSync(text).toString());

/** The last summary, eventually consistent unless `isConsistent`. One read, of some 10 KB at most. */
export async function readKept({ client, name }: Table, isConsistent = false): Promise<KeptSummary | undefined> {
  const { Item } = await client.send(
    new GetCommand({ TableName: name, Key: summaryKey, ConsistentRead: isConsistent }),
  );
  if (Item === undefined) return undefined;
  const { computed_at: at, text } = z.parse(storedSchema, Item);
  return { at, ...z.parse(contentsSchema, unpack(text)) };
}

/** What one computation leaves for the next one. */
const workSchema = z.object({
  /** The count that has not ended. */
  progress: z.optional(progressSchema),
  changes: z.optional(changeCountSchema),
});

export type Work = z.output<typeof workSchema>;

/** A conflict is repeated. */
const contended = (error: unknown) => (error instanceof TransactionConflictException ? new Contention(error) : error);

const leaseSchema = z.object({ lease: z.string(), text: z.optional(z.instanceof(Uint8Array)) });

export interface Lease {
  id: string;
  work: Work;
}

/**
 * Claims the computation of the summary; undefined while another request computes it, or when one did so in the last
 * minute.
 *
 * @param isPartial the last summary has to be continued, however young it is.
 * @throws Contention when the write conflicts with another one.
 */
export async function claim({ client, name }: Table, now: Date, isPartial: boolean): Promise<Lease | undefined> {
  const time = now.getTime();
  const id = newTransactionName();
  const toLease = (item: unknown): Lease => {
    const { text } = z.parse(leaseSchema, item);
    return { id, work: text === undefined ? {} : z.parse(workSchema, unpack(text)) };
  };
  try {
    const { Attributes } = await client.send(
      new UpdateCommand({
        TableName: name,
        Key: countKey,
        UpdateExpression: 'SET busy_until = :until, lease = :lease',
        ConditionExpression: `(attribute_not_exists(busy_until) OR busy_until <= :now)${isPartial ? '' : ' AND (attribute_not_exists(done_at) OR done_at <= :due)'}`,
        ExpressionAttributeValues: {
          ':until': time + LEASE_MS,
          ':lease': id,
          ':now': time,
          ...(isPartial ? {} : { ':due': time - SUMMARY_SECONDS * 1000 }),
        },
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return toLease(Attributes);
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw contended(error);
    // The client repeats a write whose reply was lost, and the repetition finds the lease of the first attempt.
    return error.Item?.['lease'] === id ? toLease(error.Item) : undefined;
  }
}

/**
 * Stores the summary, then gives the lease back. A request whose lease has ended stores nothing.
 *
 * @throws Contention when a write conflicts with another one.
 */
export async function keep(
  { client, name }: Table,
  { id }: Lease,
  { at, ...contents }: KeptSummary,
  work: Work,
): Promise<void> {
  const put = (Item: Item, ConditionExpression: string, ExpressionAttributeValues: Item) =>
    client.send(new PutCommand({ TableName: name, Item, ConditionExpression, ExpressionAttributeValues }));
  try {
    await put({ ...summaryKey, computed_at: at, text: pack(contents) }, `${ABSENT} OR computed_at <= :at`, {
      ':at': at,
    });
    await put({ ...countKey, busy_until: 0, done_at: at, text: pack(work) }, 'lease = :lease', { ':lease': id });
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw contended(error);
  }
}

/** Gives the lease back, of a request that could not compute the summary. */
export async function release({ client, name }: Table, { id }: Lease): Promise<void> {
  await client.send(
    new UpdateCommand({
      TableName: name,
      Key: countKey,
      UpdateExpression: 'SET busy_until = :ended',
      ConditionExpression: 'lease = :lease',
      ExpressionAttributeValues: { ':ended': 0, ':lease': id },
    }),
  );
}
