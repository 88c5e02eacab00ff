import { currentRoute } from '../ui/route.tsx';
import { fetchModules, loadPage, loadStyles, scriptOf } from './load-page.tsx';
import { pageOf } from './page-of-route.tsx';

/** The frame of the console, around every page. */
export async function loadShell() {
  const page = pageOf(currentRoute()).page;
  fetchModules('shell');
  fetchModules(scriptOf(page));
  const [{ Shell }] = await Promise.all([import('./shell.tsx'), loadStyles('shell'), loadPage(page)]);
  return { default: Shell };
}
