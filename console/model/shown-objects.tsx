import { createContext, use, useEffect } from 'react';
import type { InventoryObject, Kind } from './kinds.tsx';

/** The selection in the list of the page. */
export interface ShownObjects {
  noun: Kind<InventoryObject>['noun'];
  /** The selected object; undefined for none and for several. */
  object: InventoryObject | undefined;
  /** Number of selected objects. */
  count: number;
  /** See `Pages`. */
  loadedAt: number | undefined;
}

/** Sets the selection for the panel of the frame. Undefined: the page has no list of objects. */
export const SelectionContext = createContext<(shown: ShownObjects | undefined) => void>(() => {});

/** Shows the selection of a list in the panel of the frame while the list is shown. */
export function useShownObjects({ noun, object, count, loadedAt }: ShownObjects): void {
  const set = use(SelectionContext);
  useEffect(() => set({ noun, object, count, loadedAt }), [set, noun, object, count, loadedAt]);
  useEffect(() => () => set(undefined), [set]);
}
