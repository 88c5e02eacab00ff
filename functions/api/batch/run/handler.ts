import { ApiError, invalidRequest } from '../../../../shared/http/errors.ts';
import { IDEMPOTENCY_KEY } from '../../../../shared/http/idempotency-key.ts';
import { bytesInReply, MAX_REPLY_BYTES } from '../../../../shared/http/reply-size.ts';
import { labelIn, type Operation, referencesOf, resolveReferences } from '../../../domain/bulk/batch-operation.ts';
import { AT_ONCE } from '../../../domain/bulk/limits.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { atPresent, writeContextOf } from '../../../store/entities/write-context.ts';
import { runAtomicBatch } from '../../../bulk/batch/atomic.ts';
import { runInOrder } from '../../../bulk/scheduler.ts';
import { actionOf } from '../../../bulk/batch/actions.ts';
import type { Success } from '../../../bulk/batch/success.ts';
import type { Result } from '../../../domain/bulk/batch-result.ts';
import { errorOf, partsOf, throwIfAllUnavailable } from '../../../bulk/partial-failure.ts';
import { readClaimOwners, conflictKeysIn } from '../../../bulk/batch/conflict-keys.ts';
import { endpoint } from './endpoint.ts';

type Outcome = Success | ApiError;

/**
 * The operations of such a batch take effect individually, so a reply that is kept with one of them would not cover the
 * others.
 */
function onlyAtomic(): ApiError {
  const message = 'Only an atomic batch accepts an Idempotency-Key. Upserts can be repeated without one.';
  return invalidRequest([{ field: IDEMPOTENCY_KEY.name, reason: 'not_allowed', message }]);
}

function failedBefore(label: string): ApiError {
  return new ApiError('failedPrecondition', `Not done: the operation with the label "${label}" failed.`);
}

/** Replaces the labels in the operation by the ids of objects that earlier operations added. */
function resolve(operation: Operation, ids: ReadonlyMap<string, string>): void {
  for (const { text } of referencesOf(operation)) {
    const label = labelIn(text);
    if (label !== undefined && !ids.has(label)) throw failedBefore(label);
  }
  resolveReferences(operation, (label) => ids.get(label) ?? '');
}

function resultsOf(outcomes: readonly (Outcome | Result)[], requestId: string): Result[] {
  let bytes = 0;
  return outcomes.map((outcome): Result => {
    const result: Result =
      outcome instanceof ApiError ? { status: outcome.httpStatus, error: errorOf(outcome, requestId) } : outcome;
    const own = bytesInReply(result);
    if (bytes + own <= MAX_REPLY_BYTES || !('body' in result)) {
      bytes += own;
      return result;
    }
    const { body, ...rest } = result;
    return rest;
  });
}

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { requestId, idempotency } = request;
  const { operations, atomic } = request.body;
  const writeContext = writeContextOf(request, dependencies);
  if (atomic) {
    const results = await runAtomicBatch(dependencies, operations, { writeContext, idempotency });
    return { body: { results: resultsOf(results, requestId) } };
  }
  if (idempotency !== undefined) throw onlyAtomic();
  const part = partsOf({ endpointId: endpoint.id, requestId }, dependencies.log);
  const ids = new Map<string, string>();
  const one = (operation: Operation) =>
    part(async () => {
      resolve(operation, ids);
      const context = atPresent(writeContext);
      const success = await actionOf(dependencies, operation, context.now).run(context);
      if ('ref' in operation && operation.ref !== undefined) ids.set(operation.ref, success.id);
      return success;
    });
  const conflictKeys = conflictKeysIn(dependencies, operations, await readClaimOwners(dependencies, operations));
  const outcomes: Outcome[] = await runInOrder(
    operations.map((operation, index) => ({
      conflictKeys: conflictKeys[index] ?? 'everything',
      run: () => one(operation),
    })),
    AT_ONCE,
  );
  throwIfAllUnavailable(outcomes);
  return { body: { results: resultsOf(outcomes, requestId) } };
});
