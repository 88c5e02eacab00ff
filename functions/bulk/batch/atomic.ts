import * as z from 'zod/mini';
import { retryOnContention } from '../../../shared/db/contention.ts';
import type { Table } from '../../../shared/db/table.ts';
import { MAX_TRANSACTION_ACTIONS, transact, type TransactItem } from '../../../shared/db/transact.ts';
import { ApiError, invalidRequest } from '../../../shared/http/errors.ts';
import type { Idempotency } from '../../../shared/http/idempotency.ts';
import type { Operation } from '../../domain/bulk/batch-operation.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import { AlreadyWritten, idempotencyItem, writeOnce } from '../../store/table/idempotency-record.ts';
import type { WriteContext } from '../../store/entities/write-context.ts';
import { newPlan, type TransactionPlan } from '../../store/inventory/transaction-plan.ts';
import { bytesIn, MAX_TRANSACTION_BYTES } from '../../store/inventory/transaction-bytes.ts';
import { toTransactItems } from '../../store/inventory/transact-items.ts';
import { attributeToOperation } from './attribute-error.ts';
import type { Success } from './run-operation.ts';
import { planOperation } from './plan-operation.ts';
import { type Result, resultsSchema } from '../../domain/bulk/batch-result.ts';
import { readForAll } from './prefetch.ts';

const tooMany = (message: string) => invalidRequest([{ field: 'operations', reason: 'too_many', message }]);

/** @throws ApiError `invalidArgument` with the count when the plan exceeds the limits of a transaction. */
async function stepsInOne(
  table: Table,
  plan: TransactionPlan,
  first: readonly TransactItem[],
): Promise<TransactItem[]> {
  const steps = [...first, ...(await toTransactItems(table, plan))];
  if (steps.length > MAX_TRANSACTION_ACTIONS)
    throw tooMany(
      `This batch requires ${steps.length} items, but a transaction contains at most ${MAX_TRANSACTION_ACTIONS}. Send fewer operations, or do not use atomic.`,
    );
  if (bytesIn(plan) > MAX_TRANSACTION_BYTES)
    throw tooMany(`These objects exceed ${MAX_TRANSACTION_BYTES} bytes. Send fewer operations, or do not use atomic.`);
  return steps;
}

/** A copy for one attempt, which replaces labels by the ids of that attempt; lists are replaced, not modified. */
function copied(operation: Operation): Operation {
  const copy = { ...operation };
  return 'body' in copy ? Object.assign(copy, { body: { ...copy.body } }) : copy;
}

async function planAll(dependencies: Dependencies, operations: readonly Operation[], writeContext: WriteContext) {
  const plan = newPlan(writeContext);
  const read = await readForAll(dependencies.table, operations);
  const batch = { dependencies, plan, read, ids: new Map(), touched: new Map(), keys: new Map() };
  const results: Success[] = [];
  for (const [index, operation] of operations.entries())
    try {
      results.push(await planOperation(batch, copied(operation), index));
    } catch (error) {
      throw error instanceof ApiError ? attributeToOperation(index, error) : error;
    }
  return { plan, results };
}

/** The results that are kept for a repeated request are an additional item, which costs write units in each batch. */
const MAX_KEPT_BYTES = 100_000;

function kept(results: readonly Success[]): Success[] {
  const whole = { results: [...results] };
  if (Buffer.byteLength(JSON.stringify(whole)) <= MAX_KEPT_BYTES) return whole.results;
  return results.map(({ body: _, ...rest }) => rest);
}

/**
 * Runs all operations or none, in one transaction. Under an Idempotency-Key it takes effect once.
 *
 * @returns the results; of a batch that took effect before, the results that were kept.
 * @throws ApiError of the first operation that fails, attributed to it; `invalidArgument` with the count when they
 *   exceed the limits of a transaction.
 */
export async function runAtomicBatch(
  dependencies: Dependencies,
  operations: readonly Operation[],
  { writeContext, idempotency }: { writeContext: WriteContext; idempotency: Idempotency | undefined },
): Promise<readonly (Success | Result)[]> {
  const { table } = dependencies;
  const once = idempotency === undefined ? undefined : { idempotency, now: writeContext.now };
  try {
    return await retryOnContention(async () => {
      const { plan, results, steps } = await writeOnce(table, once, async () => {
        const planned = await planAll(dependencies, operations, writeContext);
        const shown = once === undefined ? planned.results : kept(planned.results);
        const first = once === undefined ? [] : [idempotencyItem(once, { results: shown })];
        return { plan: planned.plan, results: shown, steps: await stepsInOne(table, planned.plan, first) };
      });
      if (plan.writes.length > 0 || once !== undefined) await transact(table, steps);
      return results;
    });
  } catch (error) {
    if (error instanceof AlreadyWritten) return z.parse(resultsSchema, error.object).results;
    throw error;
  }
}
