import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod/mini';
import { openEnum } from '../../domain/fields/open-enum.ts';
import { lazily } from '../../../shared/core/lazily.ts';
import { and, type Condition, differs, equals, PRESENT } from '../../../shared/db/conditions.ts';
import { retryOnContention } from '../../../shared/db/contention.ts';
import { writeItem } from '../../../shared/db/item-writes.ts';
import { endAfter, secondsOf, timeText } from '../../../shared/core/seconds.ts';
import type { Item, Table } from '../../../shared/db/table.ts';
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
import type { OwnerLimit } from '../../domain/access/owned-objects.ts';
import { ownerLimitSchema } from '../entities/owner-limit.ts';
import { type Actor, actorSchema, type BindingVersions, type WriteContext } from '../entities/write-context.ts';
import { queryUpTo, readItem, readItems } from '../table/read.ts';

/** How long a plan can be applied and a job can be resumed, in seconds: a day. */
const RECONCILIATION_SECONDS = 86_400;

/** Bytes of compressed text in one item. DynamoDB limits an item to 400 KB. */
const PART_BYTES = 350_000;

/**
 * - `planned`: nothing is done yet.
 * - `applying`: some steps are done, others remain.
 * - `done`: no step remains that can be done.
 * - `stopped`: steps remain, but the service does not resume it by itself.
 * - `cancelled`: a caller ended it.
 */
const reconciliationStates = ['planned', 'applying', 'done', 'stopped', 'cancelled'] as const;

/** Progress of the steps. */
const progressSchema = lazily(() =>
  z.object({
    state: openEnum(reconciliationStates),
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
    /** The owners to which the caller of the plan is limited. */
    limit: z.optional(ownerLimitSchema()),
    /** The identity provider of the log-in that made the credential of that caller. */
    provider: z.optional(z.string()),
    /** The role bindings on which that credential rests. */
    rests_on: z.optional(z.record(z.string(), z.string())),
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
  limit?: OwnerLimit | undefined;
  provider?: string | undefined;
  rests_on?: BindingVersions | undefined;
  created_at: string;
  expires_at: string;
  cancelled_by?: Actor | undefined;
  cancelled_at?: string | undefined;
}

export interface StoredReconciliation extends Reconciliation {
  /** Number of items that contain the request. */
  parts: number;
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
  const text = deflateRawSync(JSON.stringify(kept));
  const count = Math.ceil(text.length / PART_BYTES);
  const end = endAfter(now, RECONCILIATION_SECONDS);
  const put = (item: Item) => writeItem(table, { put: { ...item, [TTL_ATTRIBUTE]: end } });
  await Promise.all(
    Array.from({ length: count }, (_, index) =>
      put({
        ...reconciliationPartKey(planId, index),
        text: text.subarray(index * PART_BYTES, (index + 1) * PART_BYTES),
      }),
    ),
  );
  const { actor, requestId, limit, credential } = writeContext;
  const { bindings: rests_on, secret: { provider } = {} } = credential ?? {};
  const limited = {
    ...(limit === undefined ? {} : { limit }),
    ...(provider === undefined ? {} : { provider }),
    ...(rests_on === undefined ? {} : { rests_on }),
  };
  const record = { actor, request_id: requestId, ...limited, created_at: now.toISOString() };
  const head = { caller_id: callerId, ...record, parts: count, ...progress };
  await put({ ...reconciliationKey(planId), ...head });
  if (isListed(progress)) await list(table, planId, end);
  return { plan_id: planId, ...progress, ...record, expires_at: timeText(end) };
}

const planNotFound = (planId: string) =>
  new ApiError('notFound', `Plan with ID "${planId}" not found, or expired. Make a new plan.`);

/** The head of a reconciliation, with its progress; undefined also for one of another caller. One strongly consistent read. */
export async function findReconciliation(
  table: Table,
  { planId, callerId, now }: PlanQuery,
): Promise<StoredReconciliation | undefined> {
  const item = await readItem(table, reconciliationKey(planId));
  if (item === undefined) return undefined;
  const { [TTL_ATTRIBUTE]: end, caller_id: owner, ...rest } = z.parse(headSchema(), item);
  if ((callerId !== undefined && owner !== callerId) || end <= secondsOf(now)) return undefined;
  return { plan_id: planId, ...rest, expires_at: timeText(end) };
}

/** @throws ApiError `notFound`, also for one of another caller. */
export async function getReconciliation(table: Table, asked: PlanQuery): Promise<StoredReconciliation> {
  const reconciliation = await findReconciliation(table, asked);
  if (reconciliation === undefined) throw planNotFound(asked.planId);
  return reconciliation;
}

/** The stored request of a reconciliation. One round of strongly consistent batch reads. */
export async function getKeptRequest(table: Table, planId: string, parts: number): Promise<KeptRequest> {
  const keys = Array.from({ length: parts }, (_, index) => reconciliationPartKey(planId, index));
  const partItems = (await readItems(table, keys)).map((item) => z.parse(partSchema, item));
  if (partItems.length < parts) throw planNotFound(planId);
  const text = Buffer.concat(partItems.sort((left, right) => (left.sk < right.sk ? -1 : 1)).map((part) => part.text));
  const { request, fingerprints } = z.parse(textSchema, JSON.parse(inflateRawSync(text).toString()));
  // Parsed again: it may have been stored by another version of this service.
  return { request: z.parse(keptRequest, request), fingerprints };
}

/**
 * Updates the head of a reconciliation. The worker's check for a cancellation is a transaction, which an update may
 * conflict with.
 */
const updateHead = (table: Table, planId: string, set: Item, condition: Condition) =>
  retryOnContention(table, () =>
    writeItem(table, { update: reconciliationKey(planId), set, condition }, { ReturnValues: 'ALL_NEW' }),
  );

/** Notes that a request performs steps of a begun reconciliation until this time, in milliseconds since 1970. */
export async function noteBusy(table: Table, planId: string, busyUntil: number): Promise<void> {
  await updateHead(table, planId, { busy_until: busyUntil }, and(PRESENT, equals('state', 'applying')));
}

/** Whether steps failed or remain. */
const isListed = ({ state, failed, busy_until: busyUntil = 0 }: Progress) =>
  state === 'stopped' || (state === 'done' && failed > 0) || (state === 'applying' && busyUntil === 0);

/** Lists it. A reconciliation that succeeds later stays in the list; `listedReconciliations` reads its state. */
async function list(table: Table, planId: string, end: number): Promise<void> {
  await writeItem(table, { put: { ...listedReconciliationKey(planId), [TTL_ATTRIBUTE]: end } });
}

/** The most reconciliations of the list that are read. */
const MAX_LISTED = 100;

/**
 * The stored reconciliations that one request did not finish, and those that stopped, or in which steps failed.
 * Eventually consistent.
 */
export async function listedReconciliations(table: Table, now: Date): Promise<Omit<Reconciliation, 'expires_at'>[]> {
  const { items } = await queryUpTo(table, {
    partition: LISTED_RECONCILIATIONS_PARTITION,
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
  const set = { state: 'cancelled', cancelled_by: actor, cancelled_at: asked.now.toISOString() };
  await updateHead(table, asked.planId, set, and(PRESENT, differs('state', 'cancelled'), differs('state', 'done')));
  return getReconciliation(table, asked);
}

/**
 * Stores the progress. Overwrites earlier progress without a condition, because the last worker knows best. Only the
 * state `cancelled` is kept.
 */
export async function noteProgress(table: Table, planId: string, written: Progress): Promise<void> {
  const { state, total, done, failed, skipped = 0, failures, reason = '', busy_until = 0 } = written;
  const progress = { total, done, failed, skipped, failures, reason, busy_until };
  const isCancelled = state === 'cancelled';
  const { item, refusal } = await updateHead(
    table,
    planId,
    isCancelled ? progress : { state, ...progress },
    isCancelled ? PRESENT : and(PRESENT, differs('state', 'cancelled')),
  );
  if (refusal === undefined) {
    if (isListed(written)) await list(table, planId, z.parse(headSchema(), item)[TTL_ATTRIBUTE]);
    return;
  }
  if (refusal.Item === undefined) throw planNotFound(planId);
  await noteProgress(table, planId, { ...written, state: 'cancelled' });
}
