import { currentRoute } from '../ui/route.tsx';
import { loadPage } from './load-page.tsx';
import { pageOf } from './page-of-route.tsx';

/** The frame of the console, and the page in it. Both are fetched at once. */
export async function loadShell() {
  const [{ Shell }] = await Promise.all([import('./shell.tsx'), loadPage(pageOf(currentRoute()).page)]);
  return { default: Shell };
}
