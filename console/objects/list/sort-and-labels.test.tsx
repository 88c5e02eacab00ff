import { browser } from '../../testing/browser.tsx';
import { addFleetTo } from '../../testing/fleet.tsx';
import { cellsOf, goTo, pass, rowsOf, screen, textOf, user } from '../../testing/page.tsx';
import { setPageSize } from '../../testing/page-size.tsx';
import { openSite } from '../../testing/site.tsx';

const PAGE_SIZE = 10;

const site = openSite();
setPageSize(PAGE_SIZE, 'nodes', 'services', 'agents');

beforeAll(async () => {
  await addFleetTo(site);
});

const counter = () => /\(.*\)/.exec(textOf(screen.getByRole('heading', { level: 1 })))?.[0];
const press = (name: string) => user.click(screen.getByRole('button', { name }));

/** Sorts by a column, again in the other direction. */
async function sortBy(column: string): Promise<void> {
  const headers = [...document.querySelectorAll<HTMLElement>(`[data-focus-id=sorting-control-${column}]`)];
  headers.at(-1)!.focus();
  await user.keyboard('{Enter}');
}

test('a list sorts by a column over all its pages', async () => {
  await site.at('nodes');
  await sortBy('region');
  expect(cellsOf(rowsOf('Nodes'))[0]).toContain('ap-south-1');
  await sortBy('region');
  expect(cellsOf(rowsOf('Nodes'))[0]).toContain('us-east-1');
});

test('agents sort by the names of their nodes, with a filter by status too; without an order there is no arrow', async () => {
  await site.at('agents?status=running');
  const arrows = () => [...document.querySelectorAll('th[aria-sort=ascending], th[aria-sort=descending]')].map(textOf);
  const places = () => rowsOf('Agents').map((row) => textOf(row.querySelector('td:nth-child(4)')!));
  expect(places().length).toBeGreaterThan(9);
  expect(arrows()).toEqual([]);
  await sortBy('place');
  expect(new Set(arrows())).toEqual(new Set(['Runs on']));
  const ascending = places();
  expect(ascending).toHaveLength(PAGE_SIZE);
  expect(ascending[0]).toContain('ledger-1-host-1');
  expect(ascending).toEqual(ascending.toSorted());
  await sortBy('place');
  const descending = places();
  expect(descending[0]).toContain('search-5-host-');
  expect(descending).toEqual(descending.toSorted().reverse());
});

test('names sort as people read them: numbers by value, in any letter case', async () => {
  for (const name of ['srt-10', 'srt-9', 'srt-B', 'srt-a']) await site.addNode(name);
  const names = () => rowsOf('Nodes').map((row) => textOf(row.children[1]!));
  await site.at('nodes?name_prefix=srt-');
  expect(counter()).toBe('(4)');
  expect(names()).toEqual(['srt-9', 'srt-10', 'srt-a', 'srt-B']);
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

test('labels are tokens of the filter, with suggestions, and stand in the address as a selector', async () => {
  await site.at('nodes?selector=tier%20in%20(gold,bronze),!legacy');
  expect(textOf()).toContain('tier = gold, bronze');
  expect(textOf()).toContain('Has label != legacy');
  expect(counter()).toBe('(15)');
  await goTo('nodes');
  const input = () => screen.getByRole('combobox', { name: 'Filter nodes' });
  const typed = async (text: string) => {
    await user.type(input(), text);
    await pass(1000);
  };
  await typed('tier');
  await typed(' != ');
  await user.click(screen.getAllByRole('option').find((option) => textOf(option).includes('gold'))!);
  await press('Apply');
  expect(textOf()).toContain('tier != gold');
  expect(decodeURIComponent(location.href)).toContain('selector=tier!=gold');
  // A typed selector becomes tokens.
  await typed('Selector');
  await typed(' = ');
  await typed('region=us-east-1');
  await user.keyboard('{Enter}');
  expect(textOf()).toContain('region = us-east-1');
  expect(decodeURIComponent(location.href)).toContain('selector=tier!=gold,region=us-east-1');
  expect(counter()).toBe('(15)');
});

test('all values but one are a filter, which is a part of the selector', async () => {
  await site.at('nodes?selector=tier%3Dgold');
  expect(counter()).toBe('(15)');
  for (const part of ['Region', ' != ', 'us-east-1']) {
    await user.type(screen.getByRole('combobox', { name: 'Filter nodes' }), part);
    await pass(1000);
  }
  await user.keyboard('{Enter}');
  expect(textOf()).toContain('region != us-east-1');
  expect(decodeURIComponent(location.href)).toContain('selector=tier=gold,region!=us-east-1');
  expect(counter()).toBe('(10)');
});

test('CSV and JSON contain the whole filtered list, not only the page', async () => {
  await site.at('services?environment=production');
  const fileOf = async (format: string) => {
    await press('Download');
    await user.click(screen.getByRole('menuitem', { name: format }));
    return browser.takeDownloads()[0]!.text();
  };
  const { body } = await site.api('GET', '/v1/services?environment=production&page_size=1000');
  const wanted = body.services.length as number;
  const csv = await fileOf('CSV');
  expect(csv.trimEnd().split('\r\n')).toHaveLength(wanted + 1);
  expect(csv.split('\r\n')[0]!.split(',')).toEqual(expect.arrayContaining(['service_name', 'cluster', 'state']));
  const text = await fileOf('JSON');
  const json = JSON.parse(text) as { environment: string }[];
  expect(text).toBe(`${JSON.stringify(json, null, 2)}\n`);
  expect(json.map(({ environment }) => environment)).toEqual(Array(wanted).fill('production'));
});
