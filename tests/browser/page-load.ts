/** The cost of a page of the console for a browser without a cache; the benchmark measures the same. */
import type { Page } from 'playwright-core';
import * as z from 'zod/mini';
import { requestsInFlight, untilQuiet } from './in-flight.ts';

/** The pages of the console, with a node and a cluster of the inventory. */
export const pagesWith = ({ nodeId, cluster }: { nodeId: string; cluster: string }): readonly string[] => [
  ...['overview', 'nodes', 'services', 'agents', 'clusters', `clusters/${cluster}`, `nodes/${nodeId}`],
  ...['nodes/add', `nodes/${nodeId}/change`, 'services/add', 'agents/add'],
  ...['search?text=db', 'quick-start', 'reconcile', 'removed', 'silences', 'account'],
  ...['api-keys', 'enrolment-tokens', 'users', 'role-bindings', 'sessions', 'audit', 'audit/compare'].map(
    (name) => `configuration/${name}`,
  ),
];

/** A script for before the page: the tab has this session. */
export const sessionScript = (key: string) =>
  `sessionStorage.setItem('session-key', JSON.stringify({ key: '${key}', until: Date.now() + 600_000 }));`;

/**
 * A script for before the page, with `window.bytesUntil(time)`, `window.shift`, and `window.moved`: what has moved far. The
 * browser counts the bytes: compressed, with headers.
 */
export const LOAD_SCRIPT = `window.bytesUntil = (time) =>
  [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .filter(({ responseEnd }) => responseEnd <= time)
    .reduce((sum, { transferSize }) => sum + transferSize, 0);
window.shift = 0;
window.moved = [];
const placeOf = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
new PerformanceObserver((list) => {
  for (const { hadRecentInput, value, sources } of list.getEntries()) {
    if (hadRecentInput) continue;
    window.shift += value;
    if (value < 0.01) continue;
    for (const { node, previousRect, currentRect } of sources)
      moved.push(placeOf(previousRect) + ' -> ' + placeOf(currentRect) + ': ' + (node?.textContent.slice(0, 60) ?? '?'));
  }
}).observe({ type: 'layout-shift', buffered: true });`;

const pageLoadSchema = z.object({ bytes: z.number(), shift: z.number(), moved: z.array(z.string()) });

export type PageLoad = z.output<typeof pageLoadSchema>;

/** Opens a page in a new tab and waits until it is complete. @param before further scripts for before the page. */
export async function pageLoad(page: Page, url: string, before: string): Promise<PageLoad> {
  await page.addInitScript(before + LOAD_SCRIPT);
  const inFlight = requestsInFlight(page);
  const shown = page.goto(url).then(() => page.locator('main h1').waitFor());
  await shown.catch((cause: unknown) => {
    const waiting = [...inFlight].map((request) => request.url()).join(', ');
    throw new Error(`${url} does not show its heading. It waits for: ${waiting}`, { cause });
  });
  await untilQuiet({ page, inFlight });
  return z.parse(pageLoadSchema, await page.evaluate('({ bytes: bytesUntil(Infinity), shift, moved })'));
}
