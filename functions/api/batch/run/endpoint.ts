import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
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
    `Up to ${MAX_OPERATIONS} adds, declarations (upserts), changes and removals, done as if in their order, each with its own ` +
    'result. An add or a declaration may have a label (`ref`); later operations refer to its object by `$` and the label ' +
    'instead of an id.\n\n' +
    'A batch that is malformed anywhere is refused as a whole, and nothing is done. Otherwise every operation succeeds or ' +
    'fails by itself: one that fails leaves nothing behind and does not stop the others, but for those that refer to it. ' +
    'What could not be begun within the time of the request has the status 503, like what the table did not answer to. ' +
    'When that is so for every operation, the reply itself is a 503.\n\n' +
    'With `atomic`, all is done or nothing, in one transaction of 100 items. An add or a removal takes 2 items, 1 more for a ' +
    'node, a service and a pmm_agent, and 1 for each unique name, each value that lists filter by and each reference; a change ' +
    'takes 2, and 1 for each of these that it moves. What does not fit is refused with the count. There is one operation per ' +
    'object, and no `force`. The reply to an atomic batch that fails is the error of the operation that failed, which ' +
    '`details` names. Only an atomic batch takes an Idempotency-Key; the objects in its results are then left out when they ' +
    'are large.\n\n' +
    'To a key with a limit of requests per minute a batch counts as many as it has operations.',
  role: 'Editor',
  access: 'write',
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z
    .strictObject({
      operations: z
        .array(operationSchema)
        .check(
          z.minLength(1),
          z.maxLength(MAX_OPERATIONS),
          labelsFit(),
          z.meta({ description: 'What to do, in this order.' }),
        ),
      atomic: z._default(
        z.boolean().check(z.meta({ description: 'All or nothing: as much as one transaction holds.' })),
        false,
      ),
    })
    .check(atomicWithoutForce())
    .register(z.globalRegistry, { id: 'Batch', description: 'Operations to be done in one request.' }),
  maxBodyBytes: MAX_BULK_BYTES,
  cost: operationsIn,
  refusedWithin: refusedInBatch,
  reply: {
    status: 200,
    schema: resultsSchema,
  },
  idempotent: true,
  errors: ['alreadyExists', 'notFound', 'failedPrecondition', 'revisionMismatch'],
});
