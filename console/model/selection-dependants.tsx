import { type Dependant, type Dependants, dependantsOf } from './dependants.tsx';
import type { BulkKind } from './bulk.tsx';
import type { InventoryObject } from './kinds.tsx';

/** Number of selected objects whose dependants are read; each takes up to three requests. */
const MAX_READ = 50;

/** Objects whose dependants are read at the same time. */
const AT_ONCE = 4;

/**
 * The effect of the removal of several objects on others. The dependants do not include selected objects.
 *
 * @returns `more` is also true when only the first objects of the selection were read.
 */
export async function dependantsOfAll<T extends InventoryObject>(
  kind: Pick<BulkKind<T>, 'idOf'>,
  objects: readonly T[],
  signal: AbortSignal,
): Promise<Dependants> {
  const selected = new Set(objects.map((object) => kind.idOf(object)));
  const removed = new Map<string, Dependant>();
  const changed = new Map<string, Dependant>();
  let more = objects.length > MAX_READ;
  const read = objects.slice(0, MAX_READ);
  for (let from = 0; from < read.length; from += AT_ONCE) {
    const dependantsOfGroup = await Promise.all(
      read.slice(from, from + AT_ONCE).map((object) => dependantsOf(object, signal)),
    );
    for (const dependants of dependantsOfGroup) {
      for (const dependant of dependants.removed) if (!selected.has(dependant.id)) removed.set(dependant.id, dependant);
      for (const dependant of dependants.changed) if (!selected.has(dependant.id)) changed.set(dependant.id, dependant);
      more ||= dependants.more;
    }
  }
  for (const id of removed.keys()) changed.delete(id);
  return { removed: [...removed.values()], changed: [...changed.values()], more };
}
