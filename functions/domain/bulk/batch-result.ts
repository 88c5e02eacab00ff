import * as z from 'zod/mini';
import { errorSchema } from '../../../shared/http/error-schema.ts';
import { agentSchema } from '../agent/schema.ts';
import { nodeSchema } from '../node/schema.ts';
import { outcomeShape } from '../fields/outcome.ts';
import { serviceSchema } from '../service/schema.ts';

const resultSchema = () =>
  z
    .strictObject({
      status: z.int().check(z.meta({ description: 'HTTP status, as of a single request.' })),
      id: z.optional(z.string().check(z.meta({ description: 'Id of the object of the operation.' }))),
      outcome: z.optional(outcomeShape.outcome),
      body: z.optional(
        z.union([nodeSchema, serviceSchema, agentSchema]).check(
          z.meta({
            description:
              'The current object, unless it was removed. Omitted if the reply would be too large; get it by its id.',
          }),
        ),
      ),
      error: z.optional(errorSchema),
    })
    .register(z.globalRegistry, { id: 'Batch_result', description: 'Result of an operation of a batch.' });

function replySchema() {
  return z
    .strictObject({
      results: z
        .array(resultSchema())
        .check(z.meta({ description: 'Result of each operation, in the order of the batch.' })),
    })
    .register(z.globalRegistry, { id: 'Batch_results', description: 'Result of a batch.' });
}

export const resultsSchema = /* @__PURE__ */ z.lazy(replySchema);
