import * as z from 'zod/mini';
import { maker } from '../access/api-key.ts';
import { idOf } from '../fields/common-fields.ts';
import { itemShape, progressShape } from './reconcile-reply.ts';

/** The progress of a plan or a job, in replies. */
export const reconciliationSchema = z
  .strictObject({
    plan_id: idOf('plan'),
    ...progressShape,
    reason: z.optional(
      z.string().check(z.meta({ description: 'Why it stopped, and nothing more will be done by itself.' })),
    ),
    cancelled_by: z.optional(maker.check(z.meta({ description: 'Who cancelled it.' }))),
    cancelled_at: z.optional(z.iso.datetime().check(z.meta({ description: 'When it was cancelled (RFC 3339, UTC).' }))),
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
  .register(z.globalRegistry, { id: 'Reconciliation', description: 'How far a reconciliation is.' });
