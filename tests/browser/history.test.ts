import type { Page, Route } from 'playwright-core';
import {
  expectAccessible,
  expectClean,
  expectNoSidewaysScroll,
  logIn,
  logInWithKey,
  openSite,
  type Site,
  type Tab,
  untilFocused,
  untilIdle,
} from './browser.ts';

/** As many changes as the page shows at once, and how often the node was changed. */
const PAGE = 10;
const CHANGES = 21;

const MARKUP = `<b>${'a-long-word-'.repeat(20)}</b>`;

let site: Site;
let agentId = '';
let nodeId = '';
let serviceId = '';
let goneId = '';
let requestId = '';

beforeAll(async () => {
  site = await openSite();
  ({ node_id: nodeId } = await site.addNode('db-1'));
  const { node_id: otherId } = await site.addNode('db-2');
  ({ node_id: goneId } = await site.addNode('db-gone'));
  const process = await site.write('POST', '/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: nodeId });
  const service = { service_type: 'mysql', service_name: 'orders', address: '10.0.0.1', port: 3306 };
  ({ service_id: serviceId } = await site.write('POST', '/v1/services', {
    ...service,
    node_ids: [nodeId, goneId],
    custom_labels: { team: 'shop', rack: 'r1' },
  }));
  ({ agent_id: agentId } = await site.write('POST', '/v1/agents', {
    agent_type: 'mysqld_exporter',
    pmm_agent_id: process.agent_id,
    insights: { service_ids: [serviceId] },
  }));
  await site.write('PATCH', `/v1/agents/${agentId}`, { disabled: true });
  await site.write('PATCH', `/v1/services/${serviceId}`, {
    node_ids: [nodeId, goneId, otherId],
    custom_labels: { team: 'pay', rack: null, note: MARKUP },
  });
  await site.api('DELETE', `/v1/nodes/${goneId}?force=true`);
  for (let count = 1; count <= CHANGES; count += 1)
    await site.write('PATCH', `/v1/nodes/${nodeId}`, { distro: `d${count}` });
  const { body } = await site.api('GET', `/v1/agents/${agentId}/history`);
  requestId = body.changes[0].request_id;
});
afterAll(() => site.close());

const history = (page: Page) => page.getByRole('table', { name: 'History' });
const rows = (page: Page) => history(page).locator('tbody tr');

/** What a change says of a field: what went and what came, with their signs. */
async function expectTold(page: Page, row: number, field: string, texts: string[]): Promise<void> {
  const told = rows(page).nth(row).locator('.differences > div').filter({ hasText: field }).locator('del, ins');
  // A table that is loaded anew is empty for a moment.
  await told.first().waitFor();
  expect(await told.allTextContents()).toEqual(texts);
}

/** The history as the server would send it at another time. */
const answer = (tab: Tab, reply: (route: Route) => Promise<void>) => tab.page.route('**/history?*', reply);

test('changes with caller and request; the state first', async () => {
  const tab = await site.at(`agents/${agentId}`);
  const { page } = tab;
  await page.getByRole('heading', { name: 'History (2)' }).waitFor();
  await rows(page).first().getByText('Revision 2').waitFor();
  const [first = ''] = await rows(page).allTextContents();
  expect(first).toMatch(/Changed.*Revision 2.*Status.*Unknown.*Done.*Disabled.*Enabled.*Disabled.*admin.*User/);
  expect(first).toContain(requestId);
  await expectTold(page, 0, 'Status', ['Unknown', 'Done']);
  await rows(page)
    .nth(1)
    .getByRole('button', { name: /fields/ })
    .click();
  await rows(page).nth(1).getByRole('link', { name: 'orders' }).waitFor();
  await expectAccessible(tab);
  expectClean(tab);
});

test('labels one by one, of lists only the differences; a removed object has a name and no link', async () => {
  const tab = await site.at(`services/${serviceId}`);
  const { page } = tab;
  const gone = `node ${goneId.slice(0, 8)} (gone)`;
  await history(page).getByText(gone).first().waitFor();
  await expectTold(page, 0, 'Runs on nodes', [`−${gone}`]);
  await rows(page).nth(1).getByRole('link', { name: 'db-2' }).waitFor();
  await expectTold(page, 1, 'Runs on nodes', ['+db-2']);
  await expectTold(page, 1, 'Label team', ['shop', 'pay']);
  await expectTold(page, 1, 'Label rack', ['−r1']);
  await expectTold(page, 1, 'Label note', [`+${MARKUP}`]);
  expect(await page.locator(`main a[href*="${goneId}"]`).count()).toBe(0);
  await rows(page).nth(1).getByRole('link', { name: 'db-2' }).click();
  await page.getByRole('heading', { name: 'db-2', level: 1 }).waitFor();
  expectClean(tab);
});

test('a long history is shown page by page, to its beginning, and says so', async () => {
  const tab = await site.at(`nodes/${nodeId}`);
  const { page } = tab;
  await page.getByText(`(${PAGE}+)`, { exact: true }).waitFor();
  await untilIdle(tab);
  expect(await rows(page).count()).toBe(PAGE);
  const older = page.getByRole('button', { name: 'Show older' });
  await older.click();
  await page.getByText(`(${2 * PAGE}+)`, { exact: true }).waitFor();
  await older.focus();
  await page.keyboard.press('Enter');
  await page.getByText('No earlier changes: the object was added here.').waitFor();
  await page.getByRole('heading', { name: `History (${CHANGES + 1})` }).waitFor();
  await untilFocused(tab, ':has-text("No earlier changes: the object was added here.")');
  const revisions = await history(page)
    .getByText(/^Revision \d+$/)
    .allTextContents();
  expect(revisions).toEqual(Array.from({ length: CHANGES + 1 }, (_, index) => `Revision ${CHANGES + 1 - index}`));
  await expectTold(page, 0, 'Distro', [`d${CHANGES - 1}`, `d${CHANGES}`]);
  await expectTold(page, CHANGES - 1, 'Distro', ['+d1']);
  await expectAccessible(tab);
  expectClean(tab);
});

test('a change made elsewhere is shown after a reload', async () => {
  const { node_id: id } = await site.addNode('db-3');
  const tab = await site.at(`nodes/${id}`);
  const { page } = tab;
  await page.getByRole('heading', { name: 'History (1)' }).waitFor();
  const reply = await site.write('PATCH', `/v1/nodes/${id}`, { custom_labels: { team: 'shop' } });
  expect(reply.revision).toBe(2);
  await page.getByRole('button', { name: 'Reload the node' }).click();
  await page.getByRole('heading', { name: 'History (2)' }).waitFor();
  await expectTold(page, 0, 'Label team', ['+shop']);
  expectClean(tab);
});

test('while it loads, when there is none, and when older changes are no longer kept', async () => {
  const tab = await site.open(`/#/nodes/${nodeId}`);
  const { page } = tab;
  const held = Promise.withResolvers<undefined>();
  await answer(tab, async (route) => {
    await held.promise;
    await route.fulfill({ json: { changes: [] } });
  });
  await logIn(tab);
  await page.getByRole('heading', { name: 'db-1', level: 1 }).waitFor();
  await page.getByText('Loading changes').waitFor();
  await expectAccessible(tab);
  held.resolve(undefined);
  await page.getByText('No changes in the last 30 days.').waitFor();
  await expectAccessible(tab);

  await page.unroute('**/history?*');
  await answer(tab, async (route) => {
    const { changes } = (await (await route.fetch()).json()) as { changes: unknown[] };
    await route.fulfill({ json: { changes: changes.slice(0, 3) } });
  });
  await page.getByRole('button', { name: 'Reload the node' }).click();
  await page.getByText('Changes are kept for 30 days. Older changes were removed.').waitFor();
  await untilIdle(tab);
  expect(await rows(page).count()).toBe(3);
  await expectAccessible(tab);
  expectClean(tab);
});

test('a history that cannot be loaded takes nothing else away, and can be tried again', async () => {
  const tab = await site.open(`/#/nodes/${nodeId}`);
  const { page } = tab;
  const json = { message: 'It broke.', details: [], request_id: 'r-1' };
  await answer(tab, (route) => route.fulfill({ status: 500, json }));
  await logIn(tab);
  await page.getByText('The changes could not be loaded').waitFor();
  await page.getByText('It broke.').waitFor();
  await page.getByText('r-1', { exact: true }).waitFor();
  await page.getByRole('table', { name: 'Services that run on it' }).getByRole('link', { name: 'orders' }).waitFor();
  await expectAccessible(tab);
  await page.unroute('**/history?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText(`(${PAGE}+)`, { exact: true }).waitFor();

  await answer(tab, (route) => route.fulfill({ status: 500, json }));
  await page.getByRole('button', { name: 'Show older' }).click();
  await page.getByText('More could not be loaded').waitFor();
  expect(await rows(page).count()).toBe(PAGE);
  await expectAccessible(tab);
  await page.unroute('**/history?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText(`(${2 * PAGE}+)`, { exact: true }).waitFor();
  expectClean(tab, [500, 500]);
});

test('a place in it that the server does not know any more leads to its start', async () => {
  const tab = await site.at(`nodes/${nodeId}`);
  const { page } = tab;
  await answer(tab, (route) =>
    new URL(route.request().url()).searchParams.has('page_token')
      ? route.fulfill({ status: 400, json: { message: 'Unknown.', details: [], request_id: 'r-2' } })
      : route.continue(),
  );
  await page.getByRole('button', { name: 'Show older' }).click();
  await page.getByText('More could not be loaded').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Show older' }).waitFor();
  await untilIdle(tab);
  expect(await rows(page).count()).toBe(PAGE);
  expectClean(tab, [400]);
});

test('a Viewer sees it; at 390 px in the dark nothing is wider than the window', async () => {
  const { key } = await site.write('POST', '/v1/api-keys', { name: 'reader', role: 'Viewer' });
  const tab = await site.open(`/#/services/${serviceId}`, {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  });
  const { page } = tab;
  await logInWithKey(tab, key);
  await history(page).getByText('(gone)').first().waitFor();
  await untilIdle(tab);
  expect(await rows(page).count()).toBe(3);
  await rows(page)
    .nth(2)
    .getByRole('button', { name: /fields/ })
    .click();
  await rows(page).nth(2).getByText('Label rack').waitFor();
  await expectNoSidewaysScroll(tab);
  await expectAccessible(tab);
  expectClean(tab);
});
