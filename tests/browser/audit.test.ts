import type { Page } from 'playwright-core';
import { expectAccessible, expectClean, expectNoSidewaysScroll, logIn, logInWithKey, useSite } from './browser.ts';

/** As many entries as the page shows at once, and more nodes than that. */
const PAGE = 25;
const NODES = 30;

const AUDIT = 'configuration/audit';

const site = useSite();
let nodeId = '';
let viewerKey = '';

beforeAll(async () => {
  for (let count = 1; count <= NODES; count += 1) await site.addNode(`fleet-${count}`);
  ({ node_id: nodeId } = await site.addNode('db-1'));
  await site.write('PATCH', `/v1/nodes/${nodeId}`, { distro: 'debian', custom_labels: { team: 'shop' } });
  const { node_id: goneId } = await site.addNode('db-gone');
  await site.api('DELETE', `/v1/nodes/${goneId}`);
  ({ key: viewerKey } = await site.write('POST', '/v1/api-keys', { name: 'watcher', role: 'Viewer' }));
  // Refused: the role does not allow it.
  await site.api('DELETE', `/v1/nodes/${nodeId}`, undefined, viewerKey);
});

const rows = (page: Page) => page.getByRole('table', { name: 'Audit' }).locator('tbody tr');
const row = (page: Page, ...texts: RegExp[]) =>
  texts.reduce((matchingRows, text) => matchingRows.filter({ hasText: text }), rows(page));

test('entries show their caller, changes in colour, keys with their values, refusals with their reason', async () => {
  const tab = await site.at(AUDIT);
  const { page } = tab;
  await page.getByText(`(${PAGE}+)`, { exact: true }).waitFor();
  const changed = row(page, /Node changed/);
  // The entry has no name: it is that of the node.
  await changed.getByRole('link', { name: 'db-1' }).waitFor();
  expect(await changed.locator('.came').allTextContents()).toEqual(expect.arrayContaining(['+debian', '+shop']));
  const gone = row(page, /Node removed/);
  // The removed node has no page.
  await gone.getByText('db-gone').first().waitFor();
  expect(await gone.getByRole('link', { name: 'db-gone' }).count()).toBe(0);
  const key = row(page, /API key added/);
  expect(await key.textContent()).toMatch(/watcher.*admin.*Viewer/);
  expect(await row(page, /Session added/).count()).toBeGreaterThan(0);
  await expectAccessible(tab);

  await changed.getByRole('link', { name: 'db-1' }).click();
  await page.getByRole('heading', { name: 'db-1', level: 1 }).waitFor();
  expectClean(tab);
});

test('axe finds nothing in refusals, suggestions and times, nor while entries load, are absent, fail or are forbidden', async () => {
  const tab = await site.open(`/#/${AUDIT}?event=call.refused`);
  const { page } = tab;
  const held = Promise.withResolvers<undefined>();
  await page.route('**/v1/audit?*', async (route) => {
    await held.promise;
    await route.continue();
  });
  await logIn(tab);
  await page.getByText('Loading entries').waitFor();
  await expectAccessible(tab);
  held.resolve(undefined);
  await row(page, /DELETE/).waitFor();
  await expectAccessible(tab);
  await page.unrouteAll();

  await page.getByRole('button', { name: 'Clear filters' }).click();
  const input = page.getByRole('combobox', { name: 'Filter the audit' });
  await input.pressSequentially('Caller = wat');
  await page.locator('[role=option]').filter({ hasText: 'watcher' }).waitFor();
  await expectAccessible(tab);
  await input.fill('');
  await page.getByRole('button', { name: /When|At any time/ }).click();
  await page.getByRole('radio', { name: 'Last 1 hour' }).check();
  await expectAccessible(tab);
  await page.getByRole('button', { name: 'Apply' }).click();

  await page.goto(`${site.server.base}/#/${AUDIT}?since=2020-01-01T00:00:00Z&until=2020-01-02T00:00:00Z`);
  await page.getByText('No entry matches').waitFor();
  await expectAccessible(tab);
  await page.route('**/v1/audit*', (route) => route.fulfill({ json: { entries: [] } }));
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await page.getByText('No entries in the last 30 days.').waitFor();
  await expectAccessible(tab);
  await page.unrouteAll();
  const json = { message: 'It broke.', details: [], request_id: 'r-1' };
  await page.route('**/v1/audit*', (route) => route.fulfill({ status: 500, json }));
  await page.getByRole('button', { name: 'Reload the audit log' }).click();
  await page.getByText('The entries could not be loaded').waitFor();
  await expectAccessible(tab);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText(`(${PAGE}+)`, { exact: true }).waitFor();
  expectClean(tab, [500]);

  const other = await site.open(`/#/${AUDIT}`);
  await logInWithKey(other, viewerKey);
  await other.page.getByText('This requires the role Admin').waitFor();
  await expectAccessible(other);
  expectClean(other);
});

test('the page works at 390 px and in the dark', async () => {
  const tab = await site.at(AUDIT, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  await tab.page.getByText('Node changed').first().waitFor();
  await expectNoSidewaysScroll(tab);
  await expectAccessible(tab);
  expectClean(tab);
});
