import * as z from 'zod/mini';
import { maker } from '../access/api-key.ts';
import { idOf } from '../fields/common-fields.ts';
import { itemShape, progressShape } from './reconcile-reply.ts';

/** The progress of a plan or a job, in replies. */
export const reconciliationSchema = z
  .strictObject({
    plan_id: idOf('plan'),
    ...progressShape(),
    reason: z.optional(
      z.string().check(z.meta({ description: 'Why the reconciliation stopped. It does not resume automatically.' })),
    ),
    cancelled_by: z.optional(maker.check(z.meta({ description: 'Who cancelled it.' }))),
    cancelled_at: z.optional(z.iso.datetime().check(z.meta({ description: 'When it was cancelled (RFC 3339, UTC).' }))),
    created_at: z.iso.datetime().check(z.meta({ description: 'When the plan was made (RFC 3339, UTC).' })),
    expires_at: z.iso.datetime().check(z.meta({ description: 'When the plan expires (RFC 3339, UTC).' })),
    failures: z
      .array(
        z
          .strictObject({
            item: z
              .strictObject(itemShape())
              .register(z.globalRegistry, { id: 'Reconcile_step', description: 'The action.' }),
            message: z.string().check(z.meta({ description: 'Why it failed.' })),
          })
          .register(z.globalRegistry, { id: 'Reconcile_failure', description: 'A failed item.' }),
      )
      .check(z.meta({ description: 'The first 50 failures.' })),
  })
  .register(z.globalRegistry, { id: 'Reconciliation', description: 'Progress of a reconciliation.' });
