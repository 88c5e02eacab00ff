import { useSyncExternalStore } from 'react';
import { parseRoute, type Route } from './address.ts';
import { leaving } from './leaving.tsx';

export { href, type Route } from './address.ts';

export function go(to: string): void {
  leaving.ask(() => {
    location.hash = to;
  });
}

/** Goes there without a new step in the history, as for a changed filter. */
export function replace(to: string): void {
  history.replaceState(null, '', to);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

const listeners = new Set<() => void>();

/** The address whose page is shown: the one in the address bar, except while the user is asked whether to leave. */
let shown = location.hash;

/**
 * All of them in one event handler: React draws between two, and a page that is about to go would be drawn once more with
 * the route of the next one, and ask the server for what is none of its objects.
 */
addEventListener('hashchange', () => {
  const hash = location.hash;
  if (hash !== shown && leaving.isHeld()) {
    // Back, forward, or an address that was typed: the page stays, and so does its address.
    history.pushState(null, '', shown);
    leaving.ask(() => {
      location.hash = hash;
    });
    return;
  }
  shown = hash;
  for (const listener of [...listeners]) listener();
});

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

let parsed: { hash: string; route: Route } = { hash: '', route: parseRoute('') };

/** The present route; the same object until it changes. */
export function currentRoute(): Route {
  if (parsed.hash !== shown) parsed = { hash: shown, route: parseRoute(shown) };
  return parsed.route;
}

export function useRoute(): Route {
  return useSyncExternalStore(subscribe, currentRoute);
}
