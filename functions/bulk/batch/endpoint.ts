import * as z from 'zod/mini';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { errorSchema } from '../../../shared/http/error-schema.ts';
import { agentSchema } from '../../catalogue/agent.ts';
import { nodeSchema } from '../../catalogue/node.ts';
import { serviceSchema } from '../../catalogue/service.ts';
import {
  atomicOnlyAdds,
  labelsFit,
  MAX_OPERATIONS,
  operationSchema,
  refusedInBatch,
} from '../../catalogue/batch-operation.ts';
import { MAX_BULK_BYTES } from '../../catalogue/bulk-limits.ts';

export const resultSchema = z
  .strictObject({
    status: z.int().check(z.meta({ description: 'HTTP status of the operation, as if it had been sent alone.' })),
    id: z.optional(z.string().check(z.meta({ description: 'Id of the object that was added, changed or removed.' }))),
    body: z.optional(
      z.union([nodeSchema, serviceSchema, agentSchema]).check(
        z.meta({
          description:
            'The object that was added or changed. Left out when the reply would become too large: get it by its id.',
        }),
      ),
    ),
    error: z.optional(errorSchema),
  })
  .register(z.globalRegistry, { id: 'Batch_result', description: 'What became of an operation of a batch.' });

export const endpoint = defineEndpoint({
  id: 'runBatch',
  folder: 'bulk/batch',
  tag: 'Bulk',
  method: 'POST',
  path: '/v1/batch',
  summary: 'Run a batch of operations',
  description:
    `Up to ${MAX_OPERATIONS} adds, changes and removals, done as if in their order, each with its own result. ` +
    'An add may have a label (`ref`); later operations refer to what it adds by `$` and the label instead of an id.\n\n' +
    'A batch that is malformed anywhere is refused as a whole, and nothing is done. Otherwise every operation succeeds or ' +
    'fails by itself: one that fails leaves nothing behind and does not stop the others, but for those that refer to it. ' +
    'What could not be begun within the time of the request has the status 503, like what the table did not answer to. ' +
    'When that is so for every operation, the reply itself is a 503.\n\n' +
    'With `atomic`, adds are done all or none, in one transaction of 100 items: an object is one item, a node, a service and a ' +
    'pmm_agent one more, and each unique name, each value that lists filter by and each reference another one or two. What does ' +
    'not fit is refused with the count. The reply to an atomic batch that fails is the error of the operation that failed, ' +
    'which `details` names.',
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
        z.boolean().check(z.meta({ description: 'All or nothing. Only adds, as many as one transaction holds.' })),
        false,
      ),
    })
    .check(atomicOnlyAdds())
    .register(z.globalRegistry, { id: 'Batch', description: 'Operations to be done in one request.' }),
  maxBodyBytes: MAX_BULK_BYTES,
  refusedWithin: refusedInBatch,
  reply: {
    status: 200,
    schema: z
      .strictObject({
        results: z
          .array(resultSchema)
          .check(z.meta({ description: 'What became of each operation, in the order of the batch.' })),
      })
      .register(z.globalRegistry, { id: 'Batch_results', description: 'What became of a batch.' }),
  },
  errors: ['alreadyExists', 'notFound', 'failedPrecondition'],
});
