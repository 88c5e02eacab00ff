import { currentRoute } from '../ui/route.tsx';
import { preloadFonts } from './fetch-console.tsx';
import { pageLoader } from './load-page.tsx';
import { pageOf } from './page-of-route.tsx';

/** The frame of the console and its page, and the numbers of the first page. All are loaded at the same time. */
export async function loadShell() {
  preloadFonts();
  const { page } = pageOf(currentRoute());
  if (page === 'OverviewPage') void import('../overview/load-summary.tsx').then((module) => module.requestSummary());
  const [{ Shell }] = await Promise.all([import('./shell.tsx'), pageLoader(page)()]);
  return { default: Shell };
}
