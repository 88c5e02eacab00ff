import type { InventoryObject, Kind } from '../../model/kinds.tsx';
import { flash } from '../../ui/flash.ts';
import { leaving } from '../../ui/leaving.tsx';
import { go, href } from '../../ui/route.tsx';

/** Leaves a form for the page of its object, with a message there unless nothing was changed. */
export function leaveSaved<T extends InventoryObject>(kind: Kind<T>, object: T, done?: 'added' | 'changed'): void {
  if (done !== undefined)
    flash.add({ type: 'success', content: `The ${kind.noun} ${kind.nameOf(object)} was ${done}.` }, { pages: 1 });
  leaving.release();
  go(href([kind.folder, kind.idOf(object)]));
}
