import { ApiError, invalidRequest } from '../../../../shared/core/errors.ts';
import { IDEMPOTENCY_KEY } from '../../../../shared/http/idempotency-key.ts';
import { labelIn, type Operation, referencesOf, resolveReferences } from '../../../domain/bulk/batch-operation.ts';
import { AT_ONCE } from '../../../domain/bulk/limits.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { atPresent, writeContextOf } from '../../../store/entities/write-context.ts';
import { runAtomicBatch } from '../../../bulk/batch/atomic.ts';
import { runInOrder } from '../../../bulk/scheduler.ts';
import { actionOf } from '../../../bulk/batch/actions.ts';
import { type Outcome, resultsJson } from './results-json.ts';
import { partsOf, throwIfAllUnavailable } from '../../../bulk/partial-failure.ts';
import { conflictKeysIn, readClaimOwners, withClaims } from '../../../bulk/batch/conflict-keys.ts';
import { endpoint } from './endpoint.ts';

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

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { requestId, idempotency } = request;
  const { operations, atomic } = request.body;
  const writeContext = writeContextOf(request, dependencies);
  if (atomic) {
    const results = await runAtomicBatch(dependencies, operations, { writeContext, idempotency });
    return { body: resultsJson(results, requestId) };
  }
  if (idempotency !== undefined) throw onlyAtomic();
  const part = partsOf({ endpointId: endpoint.id, requestId }, dependencies);
  const ids = new Map<string, string>();
  const performOperation = (operation: Operation) =>
    part(async () => {
      resolve(operation, ids);
      const context = atPresent(writeContext);
      const success = await actionOf(dependencies, operation, context.now).run(context);
      if ('ref' in operation && operation.ref !== undefined) ids.set(operation.ref, success.id);
      return success;
    });
  const batch = withClaims(dependencies, operations);
  const conflictKeys = conflictKeysIn(batch, await readClaimOwners(dependencies, batch));
  const outcomes: Outcome[] = await runInOrder(
    operations.map((operation, index) => ({
      conflictKeys: conflictKeys[index] ?? 'everything',
      run: () => performOperation(operation),
    })),
    AT_ONCE,
  );
  throwIfAllUnavailable(outcomes);
  return { body: resultsJson(outcomes, requestId) };
});
