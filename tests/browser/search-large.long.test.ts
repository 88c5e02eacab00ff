import { expectClean, openSite, PASSWORD, type Site } from './browser.ts';
import { https } from '../support/server.ts';
import { importsOf, OBJECTS_PER_HOST } from '../support/large-inventory.ts';

const HOSTS = 4000;

let site: Site;

beforeAll(async () => {
  site = await openSite();
  const headers = {
    Authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`,
    'Content-Type': 'application/x-ndjson',
  };
  for (const body of importsOf(HOSTS)) {
    let status = 503;
    while (status === 503) ({ status } = await https(site.server.base, 'POST', '/v1/import', { headers, body }));
    expect(status).toBe(200);
  }
});
afterAll(() => site.close());

test('in 20,000 objects the search finds a part of an address, and a list sorts over all its pages', async () => {
  const tab = await site.at('nodes');
  const { page } = tab;
  page.setDefaultTimeout(600_000);
  await page.keyboard.press('/');
  await page.locator('#top header [role=search] input:focus').waitFor();
  await page.keyboard.type('T-03210.EXAMPLE');
  await page.locator('#top header [role=option]').filter({ hasText: 'fleet-03210-host' }).first().waitFor();
  // The node by its address, and the database on it.
  await page.getByText('Press Enter to list all 2 results.').first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { level: 1 }).getByText('(4,000)', { exact: true }).waitFor();
  const header = page.locator('[data-focus-id=sorting-control-address]').last();
  for (const name of ['fleet-00000-host', 'fleet-03999-host']) {
    await header.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('row').nth(1).getByText(name, { exact: true }).waitFor();
  }
  await page.goto(`${site.server.base}/#/search?text=team-7`);
  // Labels with the values team-7 and the databases and nodes of 80 hosts each; no agent has a label.
  await page.getByText(`(${2 * (HOSTS / 50)})`).waitFor();
  expect(OBJECTS_PER_HOST * HOSTS).toBe(20_000);
  expectClean(tab);
});
