import { useSyncExternalStore } from 'react';
import { leaving } from './leaving.tsx';

/** Where the user is: the part of the address behind `#`, which no server ever sees. */
export interface Route {
  /** `#/nodes/<id>/change` has the segments `nodes`, `<id>` and `change`. */
  segments: readonly string[];
  query: Readonly<Record<string, string>>;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split(/\?(.*)/s);
  return {
    segments: path
      .split('/')
      .filter((segment) => segment !== '')
      .map(decoded),
    query: Object.fromEntries(new URLSearchParams(query)),
  };
}

/** A link to a place of the console. Parts of the query that are undefined or empty are left out. */
export function href(segments: readonly string[], query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '');
  const search = new URLSearchParams(given).toString();
  return `#/${segments.map(encodeURIComponent).join('/')}${search === '' ? '' : `?${search}`}`;
}

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
