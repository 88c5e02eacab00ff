import { useEffect } from 'react';
import { createStore } from '../api/store.ts';

/** The forms with unsaved changes. */
const changedForms = new Set<symbol>();

/** The navigation that waits for the user's consent to lose the changes. */
const waiting = createStore<(() => void) | undefined>(undefined);

/** The browser asks in its own words before it closes the tab or loads another page. */
const keepTab = (event: BeforeUnloadEvent) => event.preventDefault();

/** Stops a click on a link of the console before the address changes, so that the history keeps its order. */
function keepPage(event: MouseEvent): void {
  const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
  const to = link?.getAttribute('href') ?? location.hash;
  if (!isPlain || to === location.hash) return;
  event.preventDefault();
  leaving.ask(() => {
    location.hash = to;
  });
}

function setChanged(change: () => void): void {
  change();
  const listen = changedForms.size > 0 ? addEventListener : removeEventListener;
  listen('beforeunload', keepTab);
  listen('click', keepPage, true);
}

export const leaving = {
  isHeld: () => changedForms.size > 0,
  /** The changes are saved, or may be lost. */
  release: () => setChanged(() => changedForms.clear()),
  /** Proceeds at once without unsaved changes, otherwise after the user's consent. */
  ask: (proceed: () => void) => {
    if (leaving.isHeld()) waiting.set(proceed);
    else proceed();
  },
  get: () => waiting.get() !== undefined,
  subscribe: waiting.subscribe,
  stay: () => waiting.set(undefined),
  leave: () => {
    const proceed = waiting.get();
    leaving.release();
    waiting.set(undefined);
    proceed?.();
  },
};

/** While a form has unsaved changes, navigation asks for a confirmation. */
export function useUnsaved(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return undefined;
    const form = Symbol('form');
    setChanged(() => changedForms.add(form));
    return () => setChanged(() => changedForms.delete(form));
  }, [isChanged]);
}
