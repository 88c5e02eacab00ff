import * as z from 'zod/mini';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { errorSchema } from '../../../shared/http/error-schema.ts';
import { MAX_BULK_BYTES } from '../../catalogue/bulk-limits.ts';
import { MAX_DESIRED, MAX_REMOVALS, reconcileBody, refusedInDesired } from '../../catalogue/reconcile.ts';
import { itemShape, progressShape } from '../../catalogue/reconcile-reply.ts';

const count = (description: string) => z.int().check(z.meta({ description }));

const itemSchema = z
  .strictObject({
    ...itemShape,
    changes: z.optional(
      z
        .array(
          z
            .strictObject({
              field: z
                .string()
                .check(z.meta({ description: 'Name of the field; a label is `custom_labels.` and its name.' })),
              from: z.optional(z.unknown().check(z.meta({ description: 'As it is; absent when it is not set.' }))),
              to: z.optional(z.unknown().check(z.meta({ description: 'As it is to be; absent when it goes.' }))),
            })
            .register(z.globalRegistry, { id: 'Difference', description: 'A field that changes.' }),
        )
        .check(z.meta({ description: 'Of a change: what differs, field by field.' })),
    ),
    blocked: z.optional(z.string().check(z.meta({ description: 'Why this cannot be done, and will not be tried.' }))),
    outcome: z.optional(
      z.enum(['done', 'failed', 'skipped', 'not_done']).check(
        z.meta({
          description:
            'What became of it. failed: the inventory forbids it. skipped: the object left the scope, or another request removed it, before this one removed it. not_done: there was no time, the table did not answer, or it changed meanwhile; it will be tried again.',
        }),
      ),
    ),
    error: z.optional(errorSchema),
    skipped: z.optional(z.string().check(z.meta({ description: 'Why a removal was skipped.' }))),
  })
  .register(z.globalRegistry, { id: 'Reconcile_item', description: 'What is to be done with one object.' });

export const endpoint = defineEndpoint({
  id: 'reconcile',
  folder: 'bulk/reconcile',
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
    `Nothing is done at all when more than \`max_removals\` (${MAX_REMOVALS * 100} % unless told) of what is in the scope would go, ` +
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
    schema: z
      .strictObject({
        plan_id: z.optional(
          z
            .string()
            .check(
              z.meta({ description: 'To apply the plan or to go on with it. Absent when nothing is left to do.' }),
            ),
        ),
        expires_at: z.optional(
          z.iso.datetime().check(z.meta({ description: 'How long the plan is kept (RFC 3339, UTC).' })),
        ),
        ...progressShape,
        in_scope: count('Objects that were in the scope.'),
        add: count('Objects to add.'),
        change: count('Objects to change.'),
        remove: count('Objects to remove.'),
        unchanged: count('Objects that are as desired.'),
        blocked: count('How many of them cannot be added, changed or removed.'),
        refusal: z.optional(
          z.string().check(z.meta({ description: 'Why this plan will not be applied. Nothing would be done.' })),
        ),
        items: z
          .array(itemSchema)
          .check(z.meta({ description: 'What is to be done, in a possible order; what is blocked comes last.' })),
        items_left_out: z.optional(count('So many items would have made the reply too large.')),
      })
      .register(z.globalRegistry, { id: 'Reconcile_plan', description: 'What is to be done, or was done.' }),
  },
  errors: ['notFound', 'failedPrecondition', 'revisionMismatch'],
});
