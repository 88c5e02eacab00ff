import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import {
  expectAccessible,
  expectClean,
  expectNoSidewaysScroll,
  logIn,
  logInWithKey,
  openSite,
  type Site,
  type Tab,
} from './browser.ts';

const COMPARE = 'configuration/audit/compare';

let site: Site;
let viewerKey = '';
/** Two times with changes before, between and after them. */
let [from, to] = ['', ''];

const between = async () => {
  const wait = () => new Promise((resolve) => setTimeout(resolve, 20));
  await wait();
  const time = new Date().toISOString();
  await wait();
  return time;
};

beforeAll(async () => {
  site = await openSite();
  const change = (id: string, fields: object) => site.write('PATCH', `/v1/nodes/${id}`, fields);
  const [db, back, gone, old] = await Promise.all(
    ['db-10', 'db-back', 'db-gone', 'db-9'].map(async (name): Promise<string> => {
      const { node_id: id } = await site.addNode(name, { az: 'zone-a', distro: 'debian' });
      return id;
    }),
  );
  await change(old!, { az: 'zone-before' });
  from = await between();
  await change(db!, { az: 'zone-b', custom_labels: { team: '=shop' } });
  await change(db!, { az: 'zone-c', distro: 'ubuntu' });
  await change(db!, { distro: 'debian' });
  await change(back!, { az: 'zone-b' });
  await change(back!, { az: 'zone-a' });
  await site.api('DELETE', `/v1/nodes/${gone}`);
  const { node_id: short } = await site.addNode('db-short');
  await site.api('DELETE', `/v1/nodes/${short}`);
  await site.write('POST', '/v1/reconcile', {
    mode: 'apply',
    scope: { selector: 'tier=imported' },
    desired: {
      nodes: [{ node_type: 'generic', node_name: 'web-1', address: '10.0.0.9', custom_labels: { tier: 'imported' } }],
      services: [],
      agents: [],
    },
  });
  to = await between();
  await change(old!, { az: 'zone-after' });
  await change(db!, { az: 'zone-after' });
  ({ key: viewerKey } = await site.write('POST', '/v1/api-keys', { name: 'watcher', role: 'Viewer' }));
});
afterAll(() => site.close());

const rows = (page: Page) => page.getByRole('table', { name: 'Compare two times' }).locator('tbody tr');
const hashOf = ({ page }: Tab) => new URL(page.url()).hash;
const address = (more = '') => `${COMPARE}?from=${from}&to=${to}${more}`;

/** The first four cells of each row. */
const shown = async (page: Page) =>
  Promise.all((await rows(page).all()).map(async (row) => (await row.locator('th, td').allInnerTexts()).slice(0, 4)));

const cells = (name: string, what: string, field: string, before: string, after: string) => [
  `${name}\n${what}`,
  ...[field, before, after],
];

test('a row for each field that differs, by the name of the object; what changed back is in none', async () => {
  const tab = await site.at(address());
  const { page } = tab;
  await page.getByText(' 3 objects: 1 added, 1 changed, 1 removed.').waitFor();
  const all = await shown(page);
  expect(all.filter(([object]) => object!.startsWith('db-10'))).toEqual([
    cells('db-10', 'Node, changed', 'Availability zone', 'zone-a', 'zone-c'),
    cells('db-10', 'Node, changed', 'Label team', '-', '=shop'),
  ]);
  expect(all).toContainEqual(cells('db-gone', 'Node, removed', 'Distro', 'debian', '-'));
  expect(all).toContainEqual(cells('web-1', 'Node, added', 'Label tier', '-', 'imported'));
  expect([...new Set(all.map(([object]) => object!.split('\n')[0]))]).toEqual(['db-10', 'db-gone', 'web-1']);
  expect(await page.getByRole('link', { name: 'Audit entries of db-10' }).count()).toBe(1);
  await expectAccessible(tab);

  await page.getByRole('link', { name: 'Audit entries of db-10' }).click();
  await page.getByText('(3)', { exact: true }).waitFor();
  expectClean(tab);
});

test('filters by kind and field stand in the address, and the CSV file contains the rows that they leave', async () => {
  const tab = await site.at(address());
  const { page } = tab;
  const choose = async (label: string, value: string) => {
    await page.getByRole('button', { name: new RegExp(`^${label} `) }).click();
    await page.getByRole('option', { name: value, exact: true }).click();
  };
  await rows(page).filter({ hasText: 'web-1' }).first().waitFor();
  await choose('Kind', 'Service');
  await page.getByText('No difference matches the filters').waitFor();
  await expectAccessible(tab);
  await choose('Kind', 'Node');
  await choose('Field', 'Label team');
  await page.getByText('(1)', { exact: true }).waitFor();
  const query = Object.fromEntries(new URLSearchParams(hashOf(tab).split('?')[1]));
  expect(query).toEqual({ from, to, kind: 'node', field: 'Label team' });

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('changes.csv');
  const [header, row, ...others] = (await readFile(await file.path(), 'utf8')).split('\r\n');
  expect(header).toBe('kind,id,name,action,field,before,after,last_changed_by,last_changed_at,request_id');
  expect(row).toMatch(/^node,[0-9a-f-]+,db-10,changed,custom_labels\.team,,"'=shop",admin,/);
  expect(others).toEqual(['']);
  expectClean(tab);
});

test('the audit and the overview lead to it; the address gets the times that it lacks', async () => {
  const tab = await site.at(`configuration/audit?since=${from}&until=${to}`);
  const { page } = tab;
  await page.getByRole('link', { name: 'Compare two times' }).click();
  await page.getByText('1 added, 1 changed, 1 removed.').waitFor();
  expect(decodeURIComponent(hashOf(tab))).toBe(`#/${COMPARE}?from=${from}&to=${to}`);

  await page.goto(`${site.server.base}/#/overview`);
  await page.getByRole('link', { name: 'Compare two times' }).click();
  // All objects, each with its last values, except those that are gone.
  await page.getByText('4 added.').waitFor();
  const query = new URLSearchParams(hashOf(tab).split('?')[1]);
  const length = Date.parse(query.get('to')!) - Date.parse(query.get('from')!);
  expect(length).toBe(86_400_000);

  await page.getByRole('button', { name: /^When/ }).click();
  await page.getByRole('button', { name: 'Apply' }).waitFor();
  await expectAccessible(tab);
  expectClean(tab);
});

test('of more entries than it reads, it compares the newest and says from when', async () => {
  const tab = await site.open(`/#/${address()}`);
  const { page } = tab;
  const sizes: (string | null)[] = [];
  await page.route('**/v1/audit?*', async (route) => {
    const size = Number(new URL(route.request().url()).searchParams.get('page_size'));
    sizes.push(String(size));
    const entry = (index: number) => ({
      ...{ audit_id: `${sizes.length}-${index}`, request_id: 'r', event: 'node.added', revision: 1 },
      time: '2026-03-02T09:30:00.000Z',
      subject: { kind: 'node', id: `n-${sizes.length}-${index}`, name: `node-${sizes.length}-${index}` },
      after: { node_name: `node-${sizes.length}-${index}` },
    });
    const entries = Array.from({ length: Math.min(size, 300) }, (_, index) => entry(index));
    await route.fulfill({ json: { entries, next_page_token: 't' } });
  });
  await logIn(tab);
  await page.getByText('The comparison is not complete').waitFor();
  await page.getByText('Between the two times are more than 2,000 entries.').waitFor();
  await page.getByText('2000 objects: 2000 added.').waitFor();
  expect(sizes).toEqual(['500', '500', '500', '500', '500', '500', '200']);
  await page.getByText('(2000)', { exact: true }).waitFor();
  await expectAccessible(tab);
  expectClean(tab);
});

test('times beyond the kept entries have a note, impossible ones a message, and others than an Admin read the role', async () => {
  const tab = await site.at(`${COMPARE}?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z`);
  const { page } = tab;
  await page.getByText('Entries are kept for 30 days.').waitFor();
  await page.getByText('No differences between the two times').waitFor();
  await expectAccessible(tab);
  await page.goto(`${site.server.base}/#/${COMPARE}?from=${to}&to=${from}`);
  await page.getByText('The second time must be after the first one.').waitFor();
  await page.goto(`${site.server.base}/#/${COMPARE}?from=yesterday&to=${from}`);
  await page.getByText('The changes could not be loaded').waitFor();
  await expectAccessible(tab);
  expectClean(tab);

  const other = await site.open(`/#/${address()}`);
  await logInWithKey(other, viewerKey);
  await other.page.getByText('This requires the role Admin').waitFor();
  expectClean(other);
});

test('at 390 px and in the dark', async () => {
  const tab = await site.at(address(), { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  await rows(tab.page).filter({ hasText: 'web-1' }).first().waitFor();
  await expectNoSidewaysScroll(tab);
  await expectAccessible(tab);
  expectClean(tab);
});
