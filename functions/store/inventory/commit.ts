import { retryOnContention } from '../../../shared/db/contention.ts';
import type { Item, Table } from '../../../shared/db/table.ts';
import { MAX_TRANSACTION_ACTIONS, transact, type TransactItem } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import type { Idempotency } from '../../../shared/http/idempotency.ts';
import { keyOf } from '../entities/entity.ts';
import { findObjects } from '../entities/get.ts';
import { foreignOwner, isWithinOwners } from '../entities/owner-limit.ts';
import type { WriteContext } from '../entities/write-context.ts';
import { GroupedHeartbeat } from '../heartbeats/heartbeat-update.ts';
import { leaveGroups } from '../heartbeats/group-membership.ts';
import { nameOfKey } from '../table/keys.ts';
import { idempotencyItem, RepeatedRequest, writtenBefore } from '../table/idempotency-record.ts';
import { bytesIn, MAX_TRANSACTION_BYTES } from './transaction-bytes.ts';
import { countTransactItems, toTransactItems } from './transact-items.ts';
import { assertUnchanged, newPlan, type PlanOptions, type TransactionPlan } from './transaction-plan.ts';

/**
 * The plan exceeds the limits of a transaction. The message is for a change of one object: any object within its limits
 * can be added, but a change that replaces nearly all references and labels may not fit, nor may the conditions of a
 * caller's scope in addition.
 */
export class TransactionTooLarge extends ApiError {
  /** The number of transact items, if there are too many of them; undefined when they have too many bytes. */
  readonly items: number | undefined;

  constructor(items?: number) {
    super('failedPrecondition', 'Too many references and labels change at once. Split the change.');
    this.name = 'TransactionTooLarge';
    this.items = items;
  }
}

/** @throws TransactionTooLarge */
function assertFits(plan: TransactionPlan, items: number): void {
  if (items > MAX_TRANSACTION_ACTIONS) throw new TransactionTooLarge(items);
  // One object within its limits always fits.
  if (plan.writes.length > 1 && bytesIn(plan) > MAX_TRANSACTION_BYTES) throw new TransactionTooLarge();
}

/** Whether the plan is within the limits of a transaction. */
export function fitsOneTransaction(plan: TransactionPlan): boolean {
  return countTransactItems(plan) <= MAX_TRANSACTION_ACTIONS && bytesIn(plan) <= MAX_TRANSACTION_BYTES;
}

const isEmpty = ({ first, writes, removalMarks }: TransactionPlan) =>
  first.length + writes.length + removalMarks.length === 0;

/**
 * The objects to which a caller with owners attaches others must have one of its owners, in the same transaction. The
 * objects of the plan itself are checked by their own writes. One round of strongly consistent batch reads.
 *
 * @throws ApiError `permissionDenied`.
 */
async function planParents(table: Table, plan: TransactionPlan): Promise<void> {
  const { limit } = plan.writeContext;
  if (limit === undefined) return;
  const written = new Set(
    plan.writes.flatMap(({ change: { before, after } }) =>
      [before, after].flatMap((entity) => (entity === undefined ? [] : [nameOfKey(keyOf(entity))])),
    ),
  );
  const others = [...plan.parents].filter(([name]) => !written.has(name)).map(([, parent]) => parent);
  if (others.length === 0) return;
  // For a missing one, the dependency itself fails with a better error.
  for (const parent of await findObjects(table, others)) {
    if (!isWithinOwners(limit, parent)) throw foreignOwner(parent, limit);
    assertUnchanged(plan, parent);
  }
}

/**
 * Writes the plan as one transaction. A plan that consists of conditions only is not written. Heartbeats that are in a
 * group leave it, for the next attempt.
 *
 * @throws TransactionTooLarge; otherwise as `transact`.
 */
export async function writePlan(table: Table, plan: TransactionPlan): Promise<void> {
  if (isEmpty(plan)) return;
  await planParents(table, plan);
  const steps: TransactItem[] = await toTransactItems(table, plan);
  assertFits(plan, steps.length);
  try {
    await transact(table, steps);
  } catch (error) {
    if (error instanceof GroupedHeartbeat) await leaveGroups(table, plan.heartbeats.keys());
    throw error;
  }
}

/**
 * Fills a plan and writes it as one transaction. Starts over with a new plan after a concurrent write, so `fill` has to
 * read everything that the plan depends on.
 *
 * @throws TransactionTooLarge; otherwise as `retryOnContention`.
 */
export async function commit<Result>(
  table: Table,
  writeContext: WriteContext,
  fill: (plan: TransactionPlan) => Result | Promise<Result>,
  { patienceMs, ...options }: PlanOptions & { patienceMs?: number } = {},
): Promise<Result> {
  return retryOnContention(
    table,
    async () => {
      const plan = newPlan(writeContext, options);
      const result = await fill(plan);
      await writePlan(table, plan);
      return result;
    },
    patienceMs,
  );
}

/**
 * As `commit`, but under an Idempotency-Key it takes effect once. The key's record is written in the same transaction.
 *
 * @param kept what a repeated request needs for its reply.
 * @returns the result of `fill`; `repeated` is what was kept by the request that took effect before. A request that
 *   took effect before cannot fail: the objects that it referred to may have been removed since.
 */
export async function commitOnce<Result>(
  table: Table,
  { writeContext, idempotency }: { writeContext: WriteContext; idempotency: Idempotency | undefined },
  fill: (plan: TransactionPlan) => Promise<Result>,
  kept: (result: Result) => Item,
): Promise<{ result: Result } | { repeated: Item }> {
  if (idempotency === undefined) return { result: await commit(table, writeContext, fill) };
  const once = { idempotency, now: writeContext.now };
  const fillOnce = async (plan: TransactionPlan) => {
    const result = await fill(plan);
    plan.first.push(idempotencyItem(once, kept(result)));
    return result;
  };
  try {
    return { result: await commit(table, writeContext, fillOnce) };
  } catch (error) {
    if (error instanceof RepeatedRequest) return { repeated: error.kept };
    // When the table does not answer, a second read would fail too and only delay the reply.
    if (error instanceof ApiError && error.kind === 'unavailable') throw error;
    const repeated = await writtenBefore(table, once);
    if (repeated === undefined) throw error;
    return { repeated };
  }
}
