import * as z from 'zod/mini';
import { isRecord } from '../../../shared/db/item.ts';
import { MAX_TRANSACTION_ACTIONS } from '../../../shared/db/transact.ts';
import { ApiError, invalidRequest } from '../../../shared/core/errors.ts';
import type { Idempotency } from '../../../shared/http/idempotency.ts';
import { lazily } from '../../../shared/core/lazily.ts';
import { type Operation, resolveReferences } from '../../domain/bulk/batch-operation.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import type { WriteContext } from '../../store/entities/write-context.ts';
import { commitOnce, TransactionTooLarge } from '../../store/inventory/commit.ts';
import type { TransactionPlan } from '../../store/inventory/transaction-plan.ts';
import { MAX_TRANSACTION_BYTES } from '../../store/inventory/transaction-bytes.ts';
import { attributeToOperation } from './attribute-error.ts';
import type { Success } from './success.ts';
import { actionOf } from './actions.ts';
import type { Batch } from './batch-plan.ts';
import { readForAll } from './prefetch.ts';

const tooMany = (message: string) => invalidRequest([{ field: 'operations', reason: 'too_many', message }]);

function tooLarge({ items }: TransactionTooLarge): ApiError {
  if (items === undefined)
    return tooMany(`These objects exceed ${MAX_TRANSACTION_BYTES} bytes. Send fewer operations, or do not use atomic.`);
  return tooMany(
    `This batch requires ${items} items, but a transaction contains at most ${MAX_TRANSACTION_ACTIONS}. Send fewer operations, or do not use atomic.`,
  );
}

/** A copy for one attempt, which replaces labels by the ids of that attempt; lists are replaced, not modified. */
function copied(operation: Operation): Operation {
  const copy = { ...operation };
  return 'body' in copy ? Object.assign(copy, { body: { ...copy.body } }) : copy;
}

/** Plans an operation, which may contain labels, in addition to the earlier ones. */
async function planOperation(batch: Batch, operation: Operation, index: number): Promise<Success> {
  resolveReferences(operation, (label) => batch.ids.get(label) ?? '');
  const success = await actionOf(batch.dependencies, operation, batch.plan.writeContext.now).plan(batch, index);
  if ('ref' in operation && operation.ref !== undefined) batch.ids.set(operation.ref, success.id);
  return success;
}

async function planAll(
  plan: TransactionPlan,
  dependencies: Dependencies,
  operations: readonly Operation[],
): Promise<Success[]> {
  const read = await readForAll(dependencies.table, operations);
  const batch = { dependencies, plan, read, ids: new Map(), affected: new Map(), keys: new Map() };
  const results: Success[] = [];
  for (const [index, operation] of operations.entries())
    try {
      results.push(await planOperation(batch, copied(operation), index));
    } catch (error) {
      throw error instanceof ApiError ? attributeToOperation(index, error) : error;
    }
  return results;
}

/** The results that are kept for a repeated request are an additional item, which costs write units in each batch. */
const MAX_KEPT_BYTES = 100_000;

/** They are returned exactly as `kept` has made them. */
const keptSchema = lazily(() => z.object({ results: z.array(z.custom<Success>(isRecord)) }));

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
  request: { writeContext: WriteContext; idempotency: Idempotency | undefined },
): Promise<readonly Success[]> {
  try {
    const written = await commitOnce(
      dependencies.table,
      request,
      async (plan) => {
        const results = await planAll(plan, dependencies, operations);
        return request.idempotency === undefined ? results : kept(results);
      },
      (results) => ({ results }),
    );
    return 'repeated' in written ? z.parse(keptSchema(), written.repeated).results : written.result;
  } catch (error) {
    throw error instanceof TransactionTooLarge ? tooLarge(error) : error;
  }
}
