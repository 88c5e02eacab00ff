import type { TransactionPlan } from './transaction-plan.ts';

/** A transaction may contain 4 MB. The rest is for keys and for what JSON does not count. */
export const MAX_TRANSACTION_BYTES = 2_500_000;

/** The size of the objects that the plan writes, before and after. */
export function bytesIn({ writes }: TransactionPlan): number {
  const objects = writes.flatMap(({ change: { before, after } }) => [before ?? [], after ?? []].flat());
  return objects.reduce((sum, stored) => sum + Buffer.byteLength(JSON.stringify(stored.object)), 0);
}
