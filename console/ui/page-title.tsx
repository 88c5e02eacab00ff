import { useEffect } from 'react';
import { createStore, useStore } from '../api/store.ts';
import { currentRoute, useRoute } from './route.tsx';

export interface Crumb {
  text: string;
  href: string;
}

interface Place {
  /** Of the page that the crumbs are about. */
  path: string;
  crumbs: readonly Crumb[];
}

const place = createStore<Place>({ path: '', crumbs: [] });

/** The heading takes the focus when the user has gone somewhere, not when the console has just been opened. */
let focusNextHeading = false;
addEventListener('hashchange', ({ oldURL, newURL }) => {
  const path = (url: string) => url.split('#')[1]?.split('?')[0];
  if (path(oldURL) !== path(newURL)) focusNextHeading = true;
});

const currentPath = () => currentRoute().segments.join('/');

/**
 * Where the user is, for the frame of the console.
 *
 * @param section where a page is that has not said it yet, as long as it is being loaded.
 */
export function useCrumbs(section: readonly Crumb[]): readonly Crumb[] {
  const { path, crumbs } = useStore(place);
  return path === useRoute().segments.join('/') ? crumbs : section;
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
    place.set({ path: currentPath(), crumbs: [...above, { text: title, href: location.hash }] });
    if (!focusNextHeading) return;
    focusNextHeading = false;
    const heading = document.querySelector<HTMLElement>('main h1');
    heading?.setAttribute('tabindex', '-1');
    heading?.focus({ preventScroll: true });
    // `above` by what it says: it is made anew with each rendering.
  }, [title, crumbs]);
}
