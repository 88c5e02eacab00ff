import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { ConditionalCheckFailedException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { Contention, retryOnContention } from '../../../shared/db/contention.ts';
import type { Table } from '../../../shared/db/table.ts';
import { ApiError } from '../../../shared/http/errors.ts';
import { keptRequest } from '../../domain/bulk/reconcile-request.ts';
import { reconciliationKey, reconciliationPartKey, TTL_ATTRIBUTE } from '../table/keys.ts';
import { type Actor, actorSchema, type WriteContext } from '../entities/write-context.ts';
import { readItems } from '../table/read.ts';

/** How long a plan can be applied and a job be gone on with, in seconds: a day. */
export const RECONCILIATION_SECONDS = 86_400;

/** Of the compressed text, in one item. An item has at most 400 KB. */
const PART_BYTES = 350_000;

/**
 * `cancelled`: somebody ended it. `planned`: nothing is done yet. `applying`: some is done and some is left. `done`: nothing is left that can be done.
 * `stopped`: something is left, and by itself it does not go on.
 */
export const reconciliationStates = ['planned', 'applying', 'done', 'stopped', 'cancelled'] as const;

const failureSchema = z.object({
  /** The step, as its item in a reply says it. */
  item: z.record(z.string(), z.unknown()),
  message: z.string(),
});

/** How far it is. */
const progressShape = {
  state: z.enum(reconciliationStates),
  total: z.int(),
  done: z.int(),
  failed: z.int(),
  /** Removals that were not needed any more. */
  skipped: z._default(z.int(), 0),
  /** Some of what failed. */
  failures: z.array(failureSchema),
  /** Why it stopped; empty while it has not. */
  reason: z.optional(z.string()),
  /** Until then, in milliseconds, a request is at work on it, unless it has died. */
  busy_until: z.optional(z.int()),
};

const headSchema = z.object({
  caller_id: z.string(),
  /** Who asked for it, and in which request: its changes are theirs, whoever goes on with it. */
  actor: actorSchema,
  cancelled_by: z.optional(actorSchema),
  cancelled_at: z.optional(z.string()),
  request_id: z.string(),
  created_at: z.string(),
  parts: z.int(),
  [TTL_ATTRIBUTE]: z.int(),
  ...progressShape,
});

const textSchema = z.object({
  request: z.unknown(),
  /** Of the steps of the plan as it was shown; undefined when nobody saw one. */
  fingerprints: z.optional(z.array(z.string())),
});

const partSchema = z.object({ sk: z.string(), text: z.instanceof(Uint8Array) });

export type Progress = z.input<z.ZodMiniObject<typeof progressShape>>;

export interface Reconciliation extends Progress {
  plan_id: string;
  actor: Actor;
  request_id: string;
  created_at: string;
  expires_at: string;
  cancelled_by?: Actor | undefined;
  cancelled_at?: string | undefined;
}

export interface KeptRequest {
  request: z.output<typeof keptRequest>;
  fingerprints?: string[] | undefined;
}

interface NewReconciliation {
  planId: string;
  callerId: string;
  writeContext: WriteContext;
  now: Date;
}

interface Asked {
  planId: string;
  /** Whose it has to be; undefined for the service itself. */
  callerId: string | undefined;
  now: Date;
}

const secondsOf = (now: Date) => Math.floor(now.getTime() / 1000);

/** Keeps what is to be done. The parts come first: with the head all of it is there. */
export async function keepReconciliation(
  { client, name }: Table,
  { planId, callerId, writeContext, now }: NewReconciliation,
  kept: KeptRequest,
  progress: Progress,
): Promise<Reconciliation> {
  const text = deflateRawSync(JSON.stringify(kept));
  const count = Math.ceil(text.length / PART_BYTES);
  const end = secondsOf(now) + RECONCILIATION_SECONDS;
  const put = (item: object) =>
    client.send(new PutCommand({ TableName: name, Item: { ...item, [TTL_ATTRIBUTE]: end } }));
  await Promise.all(
    Array.from({ length: count }, (_, index) =>
      put({
        ...reconciliationPartKey(planId, index),
        text: text.subarray(index * PART_BYTES, (index + 1) * PART_BYTES),
      }),
    ),
  );
  const { actor, requestId } = writeContext;
  const record = { actor, request_id: requestId, created_at: now.toISOString() };
  const head = { caller_id: callerId, ...record, parts: count, ...progress };
  await put({ ...reconciliationKey(planId), ...head });
  return { plan_id: planId, ...progress, ...record, expires_at: new Date(end * 1000).toISOString() };
}

const notThere = (planId: string) =>
  new ApiError('notFound', `Plan with ID "${planId}" not found, or expired. Make a new plan.`);

/**
 * How far is it? One strongly consistent read.
 *
 * @throws ApiError `notFound`, also for what somebody else has planned.
 */
export async function getReconciliation(
  { client, name }: Table,
  { planId, callerId, now }: Asked,
): Promise<Reconciliation & { parts: number }> {
  const { Item } = await client.send(
    new GetCommand({ TableName: name, Key: reconciliationKey(planId), ConsistentRead: true }),
  );
  if (Item === undefined) throw notThere(planId);
  const { [TTL_ATTRIBUTE]: end, caller_id: owner, ...rest } = z.parse(headSchema, Item);
  if ((callerId !== undefined && owner !== callerId) || end <= secondsOf(now)) throw notThere(planId);
  return { plan_id: planId, ...rest, expires_at: new Date(end * 1000).toISOString() };
}

/** What is to be done? One round of strongly consistent batch reads. */
export async function getKeptRequest(table: Table, planId: string, parts: number): Promise<KeptRequest> {
  const keys = Array.from({ length: parts }, (_, index) => reconciliationPartKey(planId, index));
  const found = (await readItems(table, keys)).map((item) => z.parse(partSchema, item));
  if (found.length < parts) throw notThere(planId);
  const text = Buffer.concat(found.sort((left, right) => (left.sk < right.sk ? -1 : 1)).map((part) => part.text));
  const { request, fingerprints } = z.parse(textSchema, JSON.parse(inflateRawSync(text).toString()));
  // Checked anew: what was kept by another version of this service must be what this one understands.
  return { request: z.parse(keptRequest, request), fingerprints };
}

/** Updates the head of a plan. The worker's check for a cancellation is a transaction, with which an update may conflict. */
async function updateHead(
  { client, name }: Table,
  planId: string,
  update: Omit<UpdateCommandInput, 'TableName' | 'Key'>,
) {
  const command = new UpdateCommand({ ...update, TableName: name, Key: reconciliationKey(planId) });
  await retryOnContention(() =>
    client.send(command).catch((error: unknown) => {
      throw error instanceof TransactionConflictException ? new Contention(error) : error;
    }),
  );
}

/**
 * Ends a plan or a job: nothing more of it is begun. What has ended already stays as it is.
 *
 * @throws ApiError `notFound`, also for what somebody else has planned.
 */
export async function cancelReconciliation(table: Table, asked: Asked, actor: Actor): Promise<Reconciliation> {
  await getReconciliation(table, asked);
  try {
    await updateHead(table, asked.planId, {
      UpdateExpression: 'SET #state = :cancelled, cancelled_by = :actor, cancelled_at = :now',
      ConditionExpression: 'attribute_exists(pk) AND #state <> :cancelled AND #state <> :done',
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: {
        ':cancelled': 'cancelled',
        ':done': 'done',
        ':actor': actor,
        ':now': asked.now.toISOString(),
      },
    });
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
  return getReconciliation(table, asked);
}

/**
 * Notes how far it is. On purpose without regard to what was noted before: the last to be done knows best. Only what was
 * cancelled stays so.
 */
export async function noteProgress(table: Table, planId: string, known: Progress): Promise<void> {
  const { state, total, done, failed, skipped = 0, failures, reason = '', busy_until: busyUntil = 0 } = known;
  const isCancelled = state === 'cancelled';
  try {
    await updateHead(table, planId, {
      UpdateExpression: `SET ${isCancelled ? '' : '#state = :state, '}#total = :total, #done = :done, #failed = :failed, #skipped = :skipped, #failures = :failures, #reason = :reason, busy_until = :until`,
      ConditionExpression: isCancelled ? 'attribute_exists(pk)' : 'attribute_exists(pk) AND #state <> :cancelled',
      ExpressionAttributeNames: {
        ...(isCancelled ? {} : { '#state': 'state' }),
        '#skipped': 'skipped',
        '#total': 'total',
        '#done': 'done',
        '#failed': 'failed',
        '#failures': 'failures',
        '#reason': 'reason',
      },
      ExpressionAttributeValues: {
        ...(isCancelled ? {} : { ':state': state, ':cancelled': 'cancelled' }),
        ':skipped': skipped,
        ':total': total,
        ':done': done,
        ':failed': failed,
        ':failures': failures,
        ':reason': reason,
        ':until': busyUntil,
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    if (error.Item === undefined) throw notThere(planId);
    await noteProgress(table, planId, { ...known, state: 'cancelled' });
  }
}
