import type * as z from 'zod/mini';
import { ApiError } from '../../../shared/http/errors.ts';
import { labelIn, type Operation, referencesOf, resolveReferences } from '../../catalogue/batch-operation.ts';
import { AT_ONCE, MAX_REPLY_BYTES } from '../../catalogue/bulk-limits.ts';
import { lambda } from '../../lambda.ts';
import { originOf } from '../../table/origin.ts';
import { addAll } from '../add-all.ts';
import { inOrder } from '../in-order.ts';
import { perform, type Success } from '../perform.ts';
import { errorOf, partsOf, throwIfAllUnavailable } from '../settle.ts';
import { touchesOf } from '../touches.ts';
import { endpoint, type resultSchema } from './endpoint.ts';

type Outcome = Success | ApiError;
type Result = z.input<typeof resultSchema>;

function failedBefore(label: string): ApiError {
  return new ApiError('failedPrecondition', `The operation with the label "${label}" failed, so this was not done.`);
}

/** Writes the ids of what was added before into the operation. */
function resolve(operation: Operation, ids: ReadonlyMap<string, string>): void {
  for (const { text } of referencesOf(operation)) {
    const label = labelIn(text);
    if (label !== undefined && !ids.has(label)) throw failedBefore(label);
  }
  resolveReferences(operation, (label) => ids.get(label) ?? '');
}

/** The bytes that a value takes in a reply of Lambda, where the body is a text once more. */
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(JSON.stringify(value)));

function resultsOf(outcomes: readonly Outcome[], requestId: string): Result[] {
  let bytes = 0;
  return outcomes.map((outcome): Result => {
    const result: Result =
      outcome instanceof ApiError ? { status: outcome.httpStatus, error: errorOf(outcome, requestId) } : outcome;
    const own = bytesOf(result);
    if (bytes + own <= MAX_REPLY_BYTES || !('body' in result)) {
      bytes += own;
      return result;
    }
    const { body, ...rest } = result;
    return rest;
  });
}

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const { requestId } = request;
  const { operations, atomic } = request.body;
  const origin = originOf(request, services);
  if (atomic) {
    const added = await addAll(services, operations, origin);
    return { body: { results: resultsOf(added, requestId) } };
  }
  const part = partsOf({ endpointId: endpoint.id, requestId }, services.log);
  const ids = new Map<string, string>();
  const one = (operation: Operation) =>
    part(async () => {
      resolve(operation, ids);
      const success = await perform(services, operation, origin);
      if ('ref' in operation && operation.ref !== undefined) ids.set(operation.ref, success.id);
      return success;
    });
  const outcomes: Outcome[] = await inOrder(
    operations.map((operation) => ({ touches: touchesOf(services, operation), run: () => one(operation) })),
    AT_ONCE,
  );
  throwIfAllUnavailable(outcomes);
  return { body: { results: resultsOf(outcomes, requestId) } };
});
