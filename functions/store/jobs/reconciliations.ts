import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { ConditionalCheckFailedException, TransactionConflictException } from '../../../shared/db/table-errors.ts';
import { GetCommand, PutCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { lazily } from '../../../shared/core/lazily.ts';
import { Contention, retryOnContention } from '../../../shared/db/contention.ts';
import { endAfter, secondsOf, timeText } from '../../../shared/core/seconds.ts';
import type { Table } from '../../../shared/db/table.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { keptRequest } from '../../domain/bulk/reconcile-request.ts';
import {
  LISTED_RECONCILIATIONS_PARTITION,
  listedReconciliationKey,
  reconciliationIdOf,
  reconciliationKey,
  reconciliationPartKey,
  TTL_ATTRIBUTE,
} from '../table/keys.ts';
import { type Actor, actorSchema, type WriteContext } from '../entities/write-context.ts';
import { queryUpTo, readItems } from '../table/read.ts';

/** How long a plan can be applied and a job can be resumed, in seconds: a day. */
export const RECONCILIATION_SECONDS = 86_400;

/** Bytes of compressed text in one item. DynamoDB limits an item to 400 KB. */
const PART_BYTES = 350_000;

/**
 * - `planned`: nothing is done yet.
 * - `applying`: some steps are done, others remain.
 * - `done`: no step remains that can be done.
 * - `stopped`: steps remain, but the service does not resume it by itself.
 * - `cancelled`: a caller ended it.
 */
export const reconciliationStates = ['planned', 'applying', 'done', 'stopped', 'cancelled'] as const;

/** Progress of the steps. */
const progressSchema = lazily(() =>
  z.object({
    state: z.enum(reconciliationStates),
    total: z.int(),
    done: z.int(),
    failed: z.int(),
    /** Number of removals that were no longer necessary. */
    skipped: z._default(z.int(), 0),
    /** A part of the failures. */
    failures: z.array(
      z.object({
        /** The failed step, in the form of an item of a reply. */
        item: z.record(z.string(), z.unknown()),
        message: z.string(),
      }),
    ),
    /** Why it stopped; empty if it did not stop. */
    reason: z.optional(z.string()),
    /** Milliseconds since 1970. Until then a request is working on it, unless that request has crashed. */
    busy_until: z.optional(z.int()),
  }),
);

const headSchema = lazily(() =>
  z.extend(progressSchema(), {
    caller_id: z.string(),
    /**
     * The actor and the request that started it. All its changes are recorded as theirs, even when another request
     * resumes it.
     */
    actor: actorSchema,
    cancelled_by: z.optional(actorSchema),
    cancelled_at: z.optional(z.string()),
    request_id: z.string(),
    created_at: z.string(),
    parts: z.int(),
    [TTL_ATTRIBUTE]: z.int(),
  }),
);

const textSchema = z.object({
  request: z.unknown(),
  /** Fingerprints of the steps of the plan that the caller saw; undefined when no plan was returned. */
  fingerprints: z.optional(z.array(z.string())),
});

const partSchema = z.object({ sk: z.string(), text: z.instanceof(Uint8Array) });

export type Progress = z.input<ReturnType<typeof progressSchema>>;

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

interface PlanQuery {
  planId: string;
  /** The caller that it must belong to; undefined for the service itself. */
  callerId: string | undefined;
  now: Date;
}

/** Stores a reconciliation. The parts are written before the head, so that an existing head implies all parts. */
export async function keepReconciliation(
  table: Table,
  { planId, callerId, writeContext, now }: NewReconciliation,
  kept: KeptRequest,
  progress: Progress,
): Promise<Reconciliation> {
  const { client, name } = table;
  const text = deflateRawSync(JSON.stringify(kept));
  const count = Math.ceil(text.length / PART_BYTES);
  const end = endAfter(now, RECONCILIATION_SECONDS);
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
  if (isListed(progress)) await list(table, planId, end);
  return { plan_id: planId, ...progress, ...record, expires_at: timeText(end) };
}

const notThere = (planId: string) =>
  new ApiError('notFound', `Plan with ID "${planId}" not found, or expired. Make a new plan.`);

/**
 * The head of a reconciliation, with its progress. One strongly consistent read.
 *
 * @throws ApiError `notFound`, also for one of another caller.
 */
export async function getReconciliation(
  { client, name }: Table,
  { planId, callerId, now }: PlanQuery,
): Promise<Reconciliation & { parts: number }> {
  const { Item } = await client.send(
    new GetCommand({ TableName: name, Key: reconciliationKey(planId), ConsistentRead: true }),
  );
  if (Item === undefined) throw notThere(planId);
  const { [TTL_ATTRIBUTE]: end, caller_id: owner, ...rest } = z.parse(headSchema(), Item);
  if ((callerId !== undefined && owner !== callerId) || end <= secondsOf(now)) throw notThere(planId);
  return { plan_id: planId, ...rest, expires_at: timeText(end) };
}

/** The stored request of a reconciliation. One round of strongly consistent batch reads. */
export async function getKeptRequest(table: Table, planId: string, parts: number): Promise<KeptRequest> {
  const keys = Array.from({ length: parts }, (_, index) => reconciliationPartKey(planId, index));
  const found = (await readItems(table, keys)).map((item) => z.parse(partSchema, item));
  if (found.length < parts) throw notThere(planId);
  const text = Buffer.concat(found.sort((left, right) => (left.sk < right.sk ? -1 : 1)).map((part) => part.text));
  const { request, fingerprints } = z.parse(textSchema, JSON.parse(inflateRawSync(text).toString()));
  // Parsed again: it may have been stored by another version of this service.
  return { request: z.parse(keptRequest, request), fingerprints };
}

/**
 * Updates the head of a reconciliation. The worker's check for a cancellation is a transaction, which an update may
 * conflict with.
 */
async function updateHead(table: Table, planId: string, update: Omit<UpdateCommandInput, 'TableName' | 'Key'>) {
  const command = new UpdateCommand({ ...update, TableName: table.name, Key: reconciliationKey(planId) });
  const { Attributes } = await retryOnContention(table, () =>
    table.client.send(command).catch((error: unknown) => {
      throw error instanceof TransactionConflictException ? new Contention(error) : error;
    }),
  );
  return Attributes;
}

/** Whether steps failed or remain. */
const isListed = ({ state, failed, busy_until: busyUntil = 0 }: Progress) =>
  state === 'stopped' || (state === 'done' && failed > 0) || (state === 'applying' && busyUntil === 0);

/** Lists it. A reconciliation that succeeds later stays in the list; `listedReconciliations` reads its state. */
async function list({ client, name }: Table, planId: string, end: number): Promise<void> {
  await client.send(
    new PutCommand({ TableName: name, Item: { ...listedReconciliationKey(planId), [TTL_ATTRIBUTE]: end } }),
  );
}

/** The most reconciliations of the list that are read. */
const MAX_LISTED = 100;

/**
 * The stored reconciliations that one request did not finish, and those that stopped, or in which steps failed.
 * Eventually consistent.
 */
export async function listedReconciliations(table: Table, now: Date): Promise<Omit<Reconciliation, 'expires_at'>[]> {
  const { items } = await queryUpTo(table, {
    KeyConditionExpression: 'pk = :partition',
    ExpressionAttributeValues: { ':partition': LISTED_RECONCILIATIONS_PARTITION },
    size: MAX_LISTED,
  });
  const heads = await readItems(
    table,
    items.map(({ sk }) => reconciliationKey(String(sk))),
    false,
  );
  return heads.flatMap((item) => {
    const { [TTL_ATTRIBUTE]: end, ...head } = z.parse(headSchema(), item);
    const isShown = head.state === 'applying' || isListed(head);
    return isShown && end > secondsOf(now) ? [{ plan_id: reconciliationIdOf(String(item['pk'])), ...head }] : [];
  });
}

/**
 * Cancels a plan or a job: no further step begins. One that is done or cancelled already stays as it is.
 *
 * @throws ApiError `notFound`, also for one of another caller.
 */
export async function cancelReconciliation(table: Table, asked: PlanQuery, actor: Actor): Promise<Reconciliation> {
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
 * Stores the progress. Overwrites earlier progress without a condition, because the last worker knows best. Only the
 * state `cancelled` is kept.
 */
export async function noteProgress(table: Table, planId: string, known: Progress): Promise<void> {
  const { state, total, done, failed, skipped = 0, failures, reason = '', busy_until: busyUntil = 0 } = known;
  const isCancelled = state === 'cancelled';
  try {
    const stored = await updateHead(table, planId, {
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
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    if (isListed(known)) await list(table, planId, z.parse(headSchema(), stored)[TTL_ATTRIBUTE]);
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    if (error.Item === undefined) throw notThere(planId);
    await noteProgress(table, planId, { ...known, state: 'cancelled' });
  }
}
