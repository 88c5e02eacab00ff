import type { Dependencies } from '../../runtime/dependencies.ts';
import { reopenClosed } from '../../store/inventory/reopen.ts';

/** Reopens what an older version left closed, once for an inventory, and logs each object. */
export async function reopenOnSchedule(
  { table, clock, log }: Pick<Dependencies, 'table' | 'clock' | 'log'>,
  isLate: () => boolean,
): Promise<void> {
  for (const { kind, id } of await reopenClosed(table, { clock, isLate }))
    log({ level: 'info', message: 'reopened: an older version did not finish its forced removal', kind, id });
}
