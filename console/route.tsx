import { useSyncExternalStore } from 'react';

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
  location.hash = to;
}

/** Goes there without a new step in the history, as for a changed filter. */
export function replace(to: string): void {
  history.replaceState(null, '', to);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

const listeners = new Set<() => void>();

/**
 * All of them in one event handler: React draws between two, and a page that is about to go would be drawn once more with
 * the route of the next one, and ask the server for what is none of its objects.
 */
addEventListener('hashchange', () => {
  for (const listener of [...listeners]) listener();
});

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

const currentHash = () => location.hash;

let parsed: { hash: string; route: Route } = { hash: '', route: parseRoute('') };

/** The present route; the same object until it changes. */
export function currentRoute(): Route {
  const hash = currentHash();
  if (parsed.hash !== hash) parsed = { hash, route: parseRoute(hash) };
  return parsed.route;
}

export function useRoute(): Route {
  return useSyncExternalStore(subscribe, currentRoute);
}
