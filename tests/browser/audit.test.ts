import type { Page } from 'playwright-core';
import {
  expectAccessible,
  expectClean,
  expectNoSidewaysScroll,
  logIn,
  logInWithKey,
  openSite,
  type Site,
  untilIdle,
} from './browser.ts';

/** As many entries as the page shows at once, and more nodes than that. */
const PAGE = 25;
const NODES = 30;

const AUDIT = 'configuration/audit';

let site: Site;
let nodeId = '';
let viewerKey = '';

beforeAll(async () => {
  site = await openSite();
  for (let count = 1; count <= NODES; count += 1) await site.addNode(`fleet-${count}`);
  ({ node_id: nodeId } = await site.addNode('db-1'));
  await site.write('PATCH', `/v1/nodes/${nodeId}`, { distro: 'debian', custom_labels: { team: 'shop' } });
  const { node_id: goneId } = await site.addNode('db-gone');
  await site.api('DELETE', `/v1/nodes/${goneId}`);
  ({ key: viewerKey } = await site.write('POST', '/v1/api-keys', { name: 'watcher', role: 'Viewer' }));
  // Refused: the role does not allow it.
  await site.api('DELETE', `/v1/nodes/${nodeId}`, undefined, viewerKey);
});
afterAll(() => site.close());

const rows = (page: Page) => page.getByRole('table', { name: 'Audit' }).locator('tbody tr');
const row = (page: Page, ...texts: RegExp[]) =>
  texts.reduce((found, text) => found.filter({ hasText: text }), rows(page));

/** One filter, as somebody does who uses the keyboard. */
async function filterBy(page: Page, property: string, value: string): Promise<void> {
  const input = page.getByRole('combobox', { name: 'Filter the audit' });
  await input.fill(`${property} = ${value}`);
  await input.press('Enter');
}

test('entries have their caller: changes in colour, keys with their values, refusals with their reason', async () => {
  const tab = await site.at(AUDIT);
  const { page } = tab;
  await page.getByText(`(${PAGE}+)`, { exact: true }).waitFor();
  const changed = row(page, /Node changed/);
  // The entry has no name: it is that of the node.
  await changed.getByRole('link', { name: 'db-1' }).waitFor();
  expect(await changed.locator('.came').allTextContents()).toEqual(expect.arrayContaining(['+debian', '+shop']));
  const gone = row(page, /Node removed/);
  // It leads to the last state of the removed node, which has no page.
  const last = gone.getByRole('link', { name: 'db-gone' }).first();
  expect(await last.getAttribute('href')).toMatch(/^#\/nodes\/[^/]+\/as-of\?removal=/);
  const key = row(page, /API key added/);
  expect(await key.textContent()).toMatch(/watcher.*admin.*Viewer/);
  expect(await row(page, /Session added/).count()).toBeGreaterThan(0);
  await expectAccessible(tab);

  await changed.getByRole('link', { name: 'db-1' }).click();
  await page.getByRole('heading', { name: 'db-1', level: 1 }).waitFor();
  expectClean(tab);
});

test('refusals have their reason, count and caller', async () => {
  const tab = await site.at(`${AUDIT}?event=call.refused`);
  const { page } = tab;
  await page.getByText('(1)', { exact: true }).waitFor();
  await row(page, /DELETE/).waitFor();
  const text = await rows(page).textContent();
  expect(text).toMatch(
    /DELETE \/v1\/nodes\/\{node_id\}.*watcher.*From 127\.0\.0\.1.*The role is not sufficient.*1 time/,
  );
  await expectAccessible(tab);
  expectClean(tab);
});

test('older entries page by page, to the first one', async () => {
  const tab = await site.at(AUDIT);
  const { page } = tab;
  await page.getByText(`(${PAGE}+)`, { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Show older' }).click();
  await page.getByText('No more entries. Entries are kept for 30 days.').waitFor();
  const all = await rows(page).locator('td:first-child time:first-child').all();
  const times = await Promise.all(all.map((one) => one.getAttribute('datetime')));
  expect(times.length).toBeGreaterThan(NODES);
  expect(times).toEqual(times.toSorted().reverse());
  expect(await row(page, /Node added/, /fleet-/).count()).toBe(NODES);
  expectClean(tab);
});

test('filters by what, who, on what and when stand in the address', async () => {
  const tab = await site.at(AUDIT);
  const { page } = tab;
  await page.getByText(`(${PAGE}+)`, { exact: true }).waitFor();
  await filterBy(page, 'Action', 'Node changed');
  await page.getByText('(1)', { exact: true }).waitFor();
  expect(new URL(page.url()).hash).toBe('#/configuration/audit?event=node.changed');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText(`(${PAGE}+)`, { exact: true }).waitFor();

  // By name, which the page knows of what it has shown.
  await filterBy(page, 'Object', 'db-gone');
  await page.getByText('(2)', { exact: true }).waitFor();
  await row(page, /Node removed/).waitFor();
  await expectAccessible(tab);

  await page.goto(`${site.server.base}/#/configuration/audit?object_id=${nodeId}`);
  await row(page, /Node changed/).waitFor();
  await page.getByText('(2)', { exact: true }).waitFor();
  await page.getByRole('button', { name: /When|At any time/ }).click();
  await page.getByRole('radio', { name: 'Last 1 hour' }).check();
  await expectAccessible(tab);
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(`${site.server.base}/#/configuration/audit?object_id=${nodeId}&last=1-hour`);
  await untilIdle(tab);
  await page.getByText('(2)', { exact: true }).waitFor();

  await page.goto(`${site.server.base}/#/configuration/audit?since=2020-01-01T00:00:00Z&until=2020-01-02T00:00:00Z`);
  await page.getByText('No entry matches').waitFor();
  await expectAccessible(tab);
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await page.getByText(`(${PAGE}+)`, { exact: true }).waitFor();
  expectClean(tab);
});

test('a caller is suggested without an entry, and is found by a part of its name; half a name of several is refused', async () => {
  for (const name of ['reads-only', 'reads-nothing'])
    await site.write('POST', '/v1/api-keys', { name, role: 'Viewer' });
  const tab = await site.at(AUDIT);
  const { page } = tab;
  await page.getByText(`(${PAGE}+)`, { exact: true }).waitFor();
  const input = page.getByRole('combobox', { name: 'Filter the audit' });
  await input.pressSequentially('Caller = rea');
  await page.locator('[role=option]').filter({ hasText: 'reads-only' }).waitFor();
  await expectAccessible(tab);
  await input.press('Enter');
  await page.getByText('Several callers have "rea" in their names: reads-nothing, reads-only.').waitFor();
  expect(new URL(page.url()).hash).toBe(`#/${AUDIT}`);
  await filterBy(page, 'Caller', 'watch');
  await page.getByText('Caller = watcher').waitFor();
  await page.getByText('(1)', { exact: true }).waitFor();
  expectClean(tab);
});

test('a filter that finds nothing in what one request looks through can be followed further back', async () => {
  const tab = await site.open(`/#/${AUDIT}?event=node.changed`);
  const { page } = tab;
  let asked = 0;
  await page.route('**/v1/audit?*', async (route) => {
    asked += 1;
    if (asked > 5) await route.continue({ url: `${site.server.base}/v1/audit?event=node.changed` });
    else await route.fulfill({ json: { entries: [], next_page_token: `t${asked}` } });
  });
  await logIn(tab);
  await page.getByRole('button', { name: 'Continue search' }).click();
  await page.getByText('(1)', { exact: true }).waitFor();
  await page.getByText('No more matches.').waitFor();
  expectClean(tab);
});

test('while it loads, when it is empty, and when it cannot be loaded', async () => {
  const tab = await site.open(`/#/${AUDIT}`);
  const { page } = tab;
  const held = Promise.withResolvers<undefined>();
  await page.route('**/v1/audit?*', async (route) => {
    await held.promise;
    await route.fulfill({ json: { entries: [] } });
  });
  await logIn(tab);
  await page.getByText('Loading entries').waitFor();
  await expectAccessible(tab);
  held.resolve(undefined);
  await page.getByText('No entries in the last 30 days.').waitFor();
  await expectAccessible(tab);
  await page.unrouteAll();
  const json = { message: 'It broke.', details: [], request_id: 'r-1' };
  await page.route('**/v1/audit?*', (route) => route.fulfill({ status: 500, json }));
  await page.getByRole('button', { name: 'Reload the audit log' }).click();
  await page.getByText('The entries could not be loaded').waitFor();
  await expectAccessible(tab);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText(`(${PAGE}+)`, { exact: true }).waitFor();
  expectClean(tab, [500]);
});

test('an invalid filter in the address has a message', async () => {
  const tab = await site.at(`${AUDIT}?event=node.eaten`);
  await tab.page.getByText('The entries could not be loaded').waitFor();
  expectClean(tab);
});

test('others than an Admin read which role it takes', async () => {
  const tab = await site.open(`/#/${AUDIT}`);
  await logInWithKey(tab, viewerKey);
  await tab.page.getByText('This requires the role Admin').waitFor();
  await expectAccessible(tab);
  expectClean(tab);
});

test('at 390 px and in the dark', async () => {
  const tab = await site.at(AUDIT, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  await tab.page.getByText('Node changed').first().waitFor();
  await expectNoSidewaysScroll(tab);
  await expectAccessible(tab);
  expectClean(tab);
});

// Last: its entries fill the first page of the audit.
test('an object is found by the beginning of its name without an entry on the page; half a name of several is refused', async () => {
  for (const name of ['silent-one', 'silent-two'])
    await site.write('POST', '/v1/nodes', { node_type: 'generic', node_name: name, address: `${name}.example` });
  const { node_id: other } = await site.addNode('changing');
  for (let count = 0; count < PAGE; count += 1)
    await site.write('PATCH', `/v1/nodes/${other}`, { az: `zone-${count}` });
  const tab = await site.at(AUDIT);
  const { page } = tab;
  await page.getByText(`(${PAGE}+)`, { exact: true }).waitFor();
  await filterBy(page, 'Object', 'silent');
  await page.getByText('Several objects have "silent" in their names: silent-one, silent-two.').waitFor();
  expect(new URL(page.url()).hash).toBe(`#/${AUDIT}`);
  await filterBy(page, 'Object', 'silent-o');
  await page.getByText('Object = silent-one').waitFor();
  await page.getByText('(1)', { exact: true }).waitFor();
  expectClean(tab);
});
