import { useEffect } from 'react';
import { createStore, useStore } from '../api/store.ts';
import { currentRoute, useRoute } from './route.tsx';

export interface Crumb {
  text: string;
  href: string;
}

interface PageCrumbs {
  /** The path of the page of the breadcrumbs. */
  path: string;
  crumbs: readonly Crumb[];
}

const place = createStore<PageCrumbs>({ path: '', crumbs: [] });

/** The heading takes the focus after a navigation, not after the console was opened. */
let focusNextHeading = false;
addEventListener('hashchange', ({ oldURL, newURL }) => {
  const path = (url: string) => url.split('#')[1]?.split('?')[0];
  if (path(oldURL) !== path(newURL)) focusNextHeading = true;
});

const currentPath = () => currentRoute().segments.join('/');

/**
 * The breadcrumbs, for the frame of the console.
 *
 * @param section the breadcrumbs of a page that is still being loaded.
 */
export function useCrumbs(section: readonly Crumb[]): readonly Crumb[] {
  const { path, crumbs } = useStore(place);
  return path === useRoute().segments.join('/') ? crumbs : section;
}

/** @returns whether the page has a heading. */
export function focusHeading(): boolean {
  const heading = document.querySelector<HTMLElement>('main h1');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus({ preventScroll: true });
  return heading !== null;
}

/**
 * Sets the title of the window and the breadcrumbs, and focuses the heading after a navigation.
 *
 * @param title undefined until it is known.
 * @param above the breadcrumbs before the page.
 */
export function usePageTitle(title: string | undefined, above: readonly Crumb[] = []): void {
  const crumbs = JSON.stringify(above.map(({ text, href }) => [text, href]));
  useEffect(() => {
    if (title === undefined) return;
    document.title = `${title} - Monitoring inventory`;
    place.set({ path: currentPath(), crumbs: [...above, { text: title, href: location.hash }] });
    if (!focusNextHeading) return;
    focusNextHeading = false;
    focusHeading();
    // `crumbs` stands for `above`, which is a new array in each rendering.
  }, [title, crumbs]);
}
