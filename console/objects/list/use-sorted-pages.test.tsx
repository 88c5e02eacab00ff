import { addFleetTo } from '../../testing/fleet.tsx';
import { cellsOf, goTo, rowsOf, screen, textOf, user } from '../../testing/page.tsx';
import { setPageSize } from '../../testing/page-size.tsx';
import { openSite } from '../../testing/site.tsx';

const PAGE_SIZE = 10;

const site = openSite();
setPageSize(PAGE_SIZE, 'nodes', 'services', 'agents');

beforeAll(async () => {
  await addFleetTo(site);
});

const counter = () => /\(.*\)/.exec(textOf(screen.getByRole('heading', { level: 1 })))?.[0];

/** Sorts by a column, again in the other direction. */
async function sortBy(column: string): Promise<void> {
  const headers = [...document.querySelectorAll<HTMLElement>(`[data-focus-id=sorting-control-${column}]`)];
  headers.at(-1)!.focus();
  await user.keyboard('{Enter}');
}

/** The headers of columns with an arrow. */
const arrows = () => [
  ...new Set([...document.querySelectorAll('th[aria-sort=ascending], th[aria-sort=descending]')].map(textOf)),
];

test('a list sorts by a column over all its pages', async () => {
  await site.at('nodes');
  await sortBy('region');
  expect(cellsOf(rowsOf('Nodes'))[0]).toContain('ap-south-1');
  await sortBy('region');
  expect(cellsOf(rowsOf('Nodes'))[0]).toContain('us-east-1');
});

test('agents sort by the names of their nodes, with a filter by status too; without an order there is no arrow', async () => {
  await site.at('agents?status=running');
  const places = () => rowsOf('Agents').map((row) => textOf(row.querySelector('td:nth-child(4)')!));
  expect(places().length).toBeGreaterThan(9);
  expect(arrows()).toEqual([]);
  await sortBy('place');
  expect(arrows()).toEqual(['Runs on']);
  const ascending = places();
  expect(ascending).toHaveLength(PAGE_SIZE);
  expect(ascending[0]).toContain('ledger-1-host-1');
  expect(ascending).toEqual(ascending.toSorted());
  await sortBy('place');
  const descending = places();
  expect(descending[0]).toContain('search-5-host-');
  expect(descending).toEqual(descending.toSorted().reverse());
});

test('a list that the console sorts has the order of names as people read them, and an arrow says it', async () => {
  for (const name of ['srt-10', 'srt-9', 'srt-B', 'srt-a']) await site.addNode(name);
  const names = () => rowsOf('Nodes').map((row) => textOf(row.children[1]!));
  await site.at('nodes?name_prefix=srt-');
  expect(counter()).toBe('(4)');
  expect(names()).toEqual(['srt-9', 'srt-10', 'srt-a', 'srt-B']);
  expect(arrows()).toEqual(['Name']);
  // Also where the console applies the filter, and on several pages.
  await goTo('nodes?name_contains=RT-');
  expect([counter(), names(), arrows()]).toEqual(['(4)', ['srt-9', 'srt-10', 'srt-a', 'srt-B'], ['Name']]);
  await goTo('nodes?name_contains=-');
  expect([rowsOf('Nodes').length, arrows()]).toEqual([PAGE_SIZE, ['Name']]);
  await goTo('nodes?name_prefix=srt-&sort=-name');
  expect(names()).toEqual(['srt-B', 'srt-a', 'srt-10', 'srt-9']);
});

test('a list sorts by health over all its pages, the worst first', async () => {
  await site.at('nodes');
  await sortBy('health');
  const rows = cellsOf(rowsOf('Nodes'));
  expect(rows.slice(0, 3).map(([, name]) => name)).toEqual(['ledger-3-host-2', 'ledger-5-host-1', 'orders-2-host-1']);
  expect(rows[3]!.join(' ')).toContain('Stale');
  await sortBy('health');
  expect(cellsOf(rowsOf('Nodes'))[0]!.join(' ')).toContain('Live');
});
