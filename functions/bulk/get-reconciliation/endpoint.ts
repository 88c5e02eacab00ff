import * as z from 'zod/mini';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { idOf } from '../../catalogue/object-fields.ts';
import { itemShape, progressShape } from '../../catalogue/reconcile-reply.ts';

export const endpoint = defineEndpoint({
  id: 'getReconciliation',
  folder: 'bulk/get-reconciliation',
  tag: 'Bulk',
  method: 'GET',
  path: '/v1/reconcile/{plan_id}',
  summary: 'See how far a reconciliation is',
  description:
    'How far a plan is that `POST /v1/reconcile` made. While it is being applied it goes on by itself, and what is done is ' +
    'counted every 20 seconds or so. Only who made it sees it.',
  role: 'Editor',
  access: 'read',
  params: z.strictObject({ plan_id: idOf('plan') }),
  query: z.strictObject({}),
  reply: {
    status: 200,
    schema: z
      .strictObject({
        plan_id: idOf('plan'),
        ...progressShape,
        reason: z.optional(
          z.string().check(z.meta({ description: 'Why it stopped, and nothing more will be done by itself.' })),
        ),
        created_at: z.iso.datetime().check(z.meta({ description: 'When it was planned (RFC 3339, UTC).' })),
        expires_at: z.iso.datetime().check(z.meta({ description: 'How long it is kept (RFC 3339, UTC).' })),
        failures: z
          .array(
            z
              .strictObject({
                item: z
                  .strictObject(itemShape)
                  .register(z.globalRegistry, { id: 'Reconcile_step', description: 'What was to be done.' }),
                message: z.string().check(z.meta({ description: 'Why the inventory forbids it.' })),
              })
              .register(z.globalRegistry, { id: 'Reconcile_failure', description: 'A step that failed.' }),
          )
          .check(z.meta({ description: 'What failed, 50 of it at most.' })),
      })
      .register(z.globalRegistry, { id: 'Reconciliation', description: 'How far a reconciliation is.' }),
  },
  errors: ['notFound'],
});
