import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
import { MAX_BULK_BYTES } from '../../../domain/bulk/limits.ts';
import { MAX_DESIRED, reconcileBody, refusedInDesired } from '../../../domain/bulk/reconcile-request.ts';
import { MAX_REMOVALS_PERCENT } from '../../../domain/fields/safety-threshold.ts';
import { reconcileReply } from '../../../domain/bulk/reconcile-reply.ts';

export const endpoint = defineEndpoint({
  id: 'reconcile',
  folder: 'reconciliations/apply',
  tag: 'Bulk',
  method: 'POST',
  path: '/v1/reconcile',
  summary: 'Make a part of the inventory what it should be',
  description:
    'Compares what is there within a scope with what is desired there, up to ' +
    `${MAX_DESIRED} objects by their names, and says object by object what has to be added, changed and removed; ` +
    '`apply` does it. What is outside of the scope is never touched: where it stands in the way, the item is `blocked` and ' +
    'says by what.\n\n' +
    'The same request may be sent again at any time: it goes on where the last one ended, and in the end finds nothing to do. ' +
    'A 202 means that something is left, and is being done: the address in `Location` says how far it is. ' +
    'A plan that was shown is applied by ' +
    'its `plan_id`, just as it was shown: when the inventory has moved on since, that is refused with 412.\n\n' +
    `Nothing is done at all when more than \`max_removals_percent\` percent (default: ${MAX_REMOVALS_PERCENT}) of what is in the scope would go, ` +
    'or when nothing is desired while something is there.',
  role: 'Editor',
  access: 'write',
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: reconcileBody,
  maxBodyBytes: MAX_BULK_BYTES,
  refusedWithin: refusedInDesired,
  reply: {
    status: [200, 202],
    schema: reconcileReply,
  },
  errors: ['notFound', 'failedPrecondition', 'revisionMismatch'],
});
