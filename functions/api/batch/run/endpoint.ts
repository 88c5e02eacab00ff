import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import {
  atomicWithoutForce,
  labelsFit,
  operationsIn,
  MAX_OPERATIONS,
  operationSchema,
  refusedInBatch,
} from '../../../domain/bulk/batch-operation.ts';
import { MAX_BULK_BYTES } from '../../../domain/bulk/limits.ts';
import { resultsSchema } from '../../../domain/bulk/batch-result.ts';

export const endpoint = defineEndpoint({
  id: 'runBatch',
  folder: 'batch/run',
  tag: 'Bulk',
  method: 'POST',
  path: '/v1/batch',
  summary: 'Run a batch of operations',
  description:
    `Runs up to ${MAX_OPERATIONS} adds, upserts, changes and removals as if in order, each with its own result. ` +
    'Later operations refer to the object of an add or upsert by `$` and its label (`ref`) instead of an ' +
    'id.\n\nA batch with a malformed operation is refused as a whole. Otherwise each operation succeeds or fails ' +
    'individually. A failed operation changes nothing and stops only operations that refer to it. An operation that ' +
    'could not start in time, or that the table did not answer, has status 503; if all do, the reply is a ' +
    '503.\n\nWith `atomic`, all operations succeed or none, in one transaction of at most 100 items. An add or ' +
    'removal takes 2 items, 1 more for a node, service or pmm_agent, and 1 for each unique name, filterable value ' +
    'and reference. A change takes 2, and 1 for each of these that it moves. A larger batch is refused with its ' +
    'count. `atomic` allows one operation per object and no `force`. The reply to a failed atomic batch is the error ' +
    'of the failed operation, which `details` names. Only an atomic batch accepts an Idempotency-Key; large objects ' +
    'are then omitted from the results.\n\nEach operation counts as one request toward the rate limit of the key.',
  role: 'Editor',
  limit: 'checked',
  access: 'write',
  body: z
    .strictObject({
      operations: z
        .array(operationSchema)
        .check(
          z.minLength(1),
          z.maxLength(MAX_OPERATIONS),
          labelsFit(),
          z.meta({ description: 'The operations, in order.' }),
        ),
      atomic: z._default(
        z.boolean().check(z.meta({ description: 'Run all operations in one transaction, or none.' })),
        false,
      ),
    })
    .check(atomicWithoutForce())
    .register(z.globalRegistry, { id: 'Batch', description: 'Operations to run in one request.' }),
  maxBodyBytes: MAX_BULK_BYTES,
  cost: operationsIn,
  refusedWithin: refusedInBatch,
  reply: {
    status: 200,
    schema: resultsSchema,
  },
  idempotent: true,
  idempotentWith: 'atomic',
  errors: ['alreadyExists', 'notFound', 'failedPrecondition', 'revisionMismatch'],
});
