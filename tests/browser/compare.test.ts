import type { Page } from 'playwright-core';
import { expectAccessible, expectClean, expectNoSidewaysScroll, useSite } from './browser.ts';

const COMPARE = 'configuration/audit/compare';

const site = useSite();
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
});

const rows = (page: Page) => page.getByRole('table', { name: 'Compare two times' }).locator('tbody tr');
const address = () => `${COMPARE}?from=${from}&to=${to}`;

/** The first four cells of each row. */
const shown = async (page: Page) =>
  Promise.all((await rows(page).all()).map(async (row) => (await row.locator('th, td').allInnerTexts()).slice(0, 4)));

const cells = (name: string, what: string, field: string, before: string, after: string) => [
  `${name}\n${what}`,
  ...[field, before, after],
];

test("each changed field and each added or removed object has a row with the object's name, and reverted changes have none", async () => {
  const tab = await site.at(address());
  const { page } = tab;
  await page.getByText(' 3 objects: 1 added, 1 changed, 1 removed.').waitFor();
  const all = await shown(page);
  expect(all.filter(([object]) => object!.startsWith('db-10'))).toEqual([
    cells('db-10', 'Node, changed', 'Availability zone', 'zone-a', 'zone-c'),
    cells('db-10', 'Node, changed', 'Label team', '-', '=shop'),
  ]);
  expect(all).toContainEqual(cells('db-gone', 'Node, removed', 'All', '5 fields', '-'));
  expect(all).toContainEqual(cells('web-1', 'Node, added', 'All', '-', '4 fields'));
  expect([...new Set(all.map(([object]) => object!.split('\n')[0]))]).toEqual(['db-10', 'db-gone', 'web-1']);
  expect(await page.getByRole('link', { name: 'Audit entries of db-10' }).count()).toBe(1);
  await expectAccessible(tab);

  await page.getByRole('link', { name: 'Audit entries of db-10' }).click();
  await page.getByText('(3)', { exact: true }).waitFor();
  expectClean(tab);
});

test('axe finds nothing in open choices, incomplete and empty comparisons, and failures, and the file is saved', async () => {
  const tab = await site.at(address());
  const { page } = tab;
  const choose = async (label: string, value: string) => {
    await page.getByRole('button', { name: new RegExp(`^${label} `) }).click();
    await page.getByRole('option', { name: value, exact: true }).click();
  };
  await rows(page).filter({ hasText: 'web-1' }).first().waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as CSV' }).click();
  expect((await download).suggestedFilename()).toBe('changes.csv');
  await choose('Kind', 'Service');
  await page.getByText('No difference matches the filters').waitFor();
  await expectAccessible(tab);
  await page.getByRole('button', { name: /^When/ }).click();
  await page.getByRole('button', { name: 'Apply' }).waitFor();
  await expectAccessible(tab);

  await page.goto(`${site.server.base}/#/${COMPARE}?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z`);
  await page.getByText('No differences between the two times').waitFor();
  await expectAccessible(tab);
  await page.goto(`${site.server.base}/#/${COMPARE}?from=yesterday&to=${from}`);
  await page.getByText('The changes could not be loaded').waitFor();
  await expectAccessible(tab);
  const entry = {
    ...{ audit_id: 'a', request_id: 'r', event: 'node.added', revision: 1, time: '2026-03-02T09:30:00.000Z' },
    ...{ subject: { kind: 'node', id: 'n-1', name: 'node-1' }, after: { node_name: 'node-1' } },
  };
  const json = { entries: Array.from({ length: 500 }, () => entry), next_page_token: 't' };
  await page.route('**/v1/audit?*', (route) => route.fulfill({ json }));
  await page.goto(`${site.server.base}/#/${address()}`);
  await page.getByText('The comparison is not complete').waitFor();
  await expectAccessible(tab);
  expectClean(tab);
});

test('the page works at 390 px and in the dark', async () => {
  const tab = await site.at(address(), { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  await rows(tab.page).filter({ hasText: 'web-1' }).first().waitFor();
  await expectNoSidewaysScroll(tab);
  await expectAccessible(tab);
  expectClean(tab);
});
