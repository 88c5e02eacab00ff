import * as z from 'zod/mini';
import { itemShape } from '../domain/bulk/reconcile-reply.ts';
import type { reconciliationSchema } from '../domain/bulk/reconciliation.ts';
import type { Reconciliation } from '../store/jobs/reconciliations.ts';

const itemSchema = z.strictObject(itemShape());

export function toReconciliationReply(reconciliation: Reconciliation): z.input<typeof reconciliationSchema> {
  const {
    plan_id,
    state,
    reason = '',
    total,
    done,
    failed,
    skipped = 0,
    failures,
    created_at,
    expires_at,
  } = reconciliation;
  const { cancelled_by, cancelled_at } = reconciliation;
  return {
    plan_id,
    state,
    ...(reason === '' ? {} : { reason }),
    ...(cancelled_by === undefined ? {} : { cancelled_by }),
    ...(cancelled_at === undefined ? {} : { cancelled_at }),
    progress: { total, done, failed, skipped },
    created_at,
    expires_at,
    failures: failures.map(({ item, message }) => ({ item: z.parse(itemSchema, item), message })),
  };
}
