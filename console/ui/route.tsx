import { createStore, useStore } from '../api/store.ts';
import { parseRoute, type Route } from './address.ts';
import { leaving } from './leaving.tsx';

export { href, type Route } from './address.ts';

export function go(to: string): void {
  leaving.ask(() => {
    location.hash = to;
  });
}

/** Changes the address without a new entry in the history, for example for a changed filter. */
export function replace(to: string): void {
  history.replaceState(null, '', to);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

/** The address of the page that is shown. It differs from the address bar while the user is asked whether to leave. */
const shown = createStore({ hash: location.hash, route: parseRoute(location.hash) });

/**
 * One event handler tells all components: React renders between two handlers, and the former page would then be rendered
 * with the route of the next one and load objects that are not its own.
 */
addEventListener('hashchange', () => {
  const { hash } = location;
  const isNew = hash !== shown.get().hash;
  if (isNew && leaving.isHeld()) {
    // Back, forward, or a typed address: the page stays, and so does its address.
    history.pushState(null, '', shown.get().hash);
    leaving.ask(() => {
      location.hash = hash;
    });
  } else if (isNew) shown.set({ hash, route: parseRoute(hash) });
});

/** The present route; the same object until it changes. */
export const currentRoute = (): Route => shown.get().route;

export const useRoute = (): Route => useStore({ subscribe: shown.subscribe, get: currentRoute });
