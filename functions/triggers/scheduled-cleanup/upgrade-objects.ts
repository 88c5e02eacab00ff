import type { Dependencies } from '../../runtime/dependencies.ts';
import { buildIndexes } from '../../store/inventory/build-indexes.ts';
import { reopenClosed } from '../../store/inventory/reopen.ts';

/** Does what the objects of older versions need, once for an inventory: index entries, and objects left closed, which are logged. */
export async function upgradeOnSchedule(
  { table, clock, log }: Pick<Dependencies, 'table' | 'clock' | 'log'>,
  isLate: () => boolean,
): Promise<void> {
  await buildIndexes(table, { clock, isLate });
  for (const { kind, id } of await reopenClosed(table, { clock, isLate }))
    log({ level: 'info', message: 'reopened: an older version did not finish its forced removal', kind, id });
}
