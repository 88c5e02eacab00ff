import { defineEndpoint } from '../../../contract/endpoint.ts';
import { MAX_RECONCILE_BYTES } from '../../../domain/bulk/limits.ts';
import { MAX_DESIRED, reconcileBody, refusedInDesired } from '../../../domain/bulk/reconcile-request.ts';
import { MAX_REMOVALS_PERCENT } from '../../../domain/fields/safety-threshold.ts';
import { reconcileReply } from '../../../domain/bulk/reconcile-reply.ts';

export const endpoint = defineEndpoint({
  id: 'reconcile',
  folder: 'reconciliations/apply',
  tag: 'Bulk',
  method: 'POST',
  path: '/v1/reconcile',
  summary: 'Reconcile a part of the inventory',
  description:
    `Compares the objects in a scope with up to ${MAX_DESIRED} desired objects, by name, and returns what to add, ` +
    'change and remove. `apply` makes the changes. Objects outside the scope are never changed; an item that ' +
    'requires this is `blocked`.\n\nThe request can be repeated: it resumes an incomplete reconciliation. 202 means ' +
    'that changes remain and are being made; `Location` is the address of the progress. Apply a plan that was ' +
    'returned by its `plan_id`, or a plan that another caller reviewed by its `plan_digest`, the same scope and the ' +
    'same desired objects; if the inventory has changed since, the reply is 412.\n\nNo changes are made if the ' +
    `removals exceed \`max_removals_percent\` (default: ${MAX_REMOVALS_PERCENT}), or if nothing is desired and the ` +
    'scope contains objects.',
  role: 'Editor',
  limit: 'checked',
  lowerRole: { role: 'Viewer', field: 'mode', value: 'plan' },
  access: 'write',
  repeatable: true,
  body: reconcileBody,
  maxBodyBytes: MAX_RECONCILE_BYTES,
  refusedWithin: refusedInDesired,
  reply: {
    status: [200, 202],
    schema: reconcileReply,
  },
  errors: ['notFound', 'failedPrecondition', 'revisionMismatch'],
});
