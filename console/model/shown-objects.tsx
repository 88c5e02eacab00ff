import { useEffect } from 'react';
import type { InventoryObject, Kind } from './kinds.tsx';

/** What is selected in the list of the present page. */
export interface ShownObjects {
  noun: Kind<InventoryObject>['noun'];
  /** The selected object; undefined for none and for several. */
  object: InventoryObject | undefined;
  /** Number of selected objects. */
  count: number;
  /** As of `Pages`. */
  loadedAt: number | undefined;
}

let shown: ShownObjects | undefined;
const listeners = new Set<() => void>();

function set(next: ShownObjects | undefined): void {
  shown = next;
  for (const listener of [...listeners]) listener();
}

/** The selection of the page for the panel of the frame; undefined on pages without a list of objects. */
export const shownObjects = {
  get: () => shown,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
};

/** Gives the panel of the frame the selection of a list for as long as the list is shown. */
export function useShownObjects({ noun, object, count, loadedAt }: ShownObjects): void {
  useEffect(() => set({ noun, object, count, loadedAt }), [noun, object, count, loadedAt]);
  useEffect(() => () => set(undefined), []);
}
