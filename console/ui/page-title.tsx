import { useEffect, useSyncExternalStore } from 'react';

export interface Crumb {
  text: string;
  href: string;
}

interface Place {
  crumbs: readonly Crumb[];
}

let place: Place = { crumbs: [] };
const listeners = new Set<() => void>();

/** The heading takes the focus when the user has gone somewhere, not when the console has just been opened. */
let focusNextHeading = false;
addEventListener('hashchange', ({ oldURL, newURL }) => {
  const path = (url: string) => url.split('#')[1]?.split('?')[0];
  if (path(oldURL) !== path(newURL)) focusNextHeading = true;
});

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Where the user is, for the frame of the console. */
export function usePlace(): Place {
  return useSyncExternalStore(subscribe, () => place);
}

/**
 * Says where the user is: in the title of the window, in the breadcrumbs, and to those who listen.
 *
 * @param title undefined while the page does not know yet.
 * @param above what leads to the page; `href` of the page itself is the present one.
 */
export function usePageTitle(title: string | undefined, above: readonly Crumb[] = []): void {
  const crumbs = JSON.stringify(above.map(({ text, href }) => [text, href]));
  useEffect(() => {
    if (title === undefined) return;
    document.title = `${title} - Monitoring inventory`;
    place = { crumbs: [...above, { text: title, href: location.hash }] };
    for (const listener of listeners) listener();
    if (!focusNextHeading) return;
    focusNextHeading = false;
    const heading = document.querySelector<HTMLElement>('main h1');
    heading?.setAttribute('tabindex', '-1');
    heading?.focus({ preventScroll: true });
    // `above` by what it says: it is made anew with each rendering.
  }, [title, crumbs]);
}
