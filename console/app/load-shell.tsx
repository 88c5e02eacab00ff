import { currentRoute } from '../ui/route.tsx';
import { loadPage } from './load-page.tsx';
import { pageOf } from './page-of-route.tsx';

/** The frame of the console and its page. Both are loaded at the same time. */
export async function loadShell() {
  const [{ Shell }] = await Promise.all([import('./shell.tsx'), loadPage(pageOf(currentRoute()).page)]);
  return { default: Shell };
}
