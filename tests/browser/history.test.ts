import type { Page } from 'playwright-core';
import {
  expectAccessible,
  expectClean,
  expectNoSidewaysScroll,
  logIn,
  useSite,
  untilFocused,
  untilIdle,
} from './browser.ts';

/** As many changes as the page shows at once, and how often the node was changed. */
const PAGE = 10;
const CHANGES = 21;

const MARKUP = `<b>${'a-long-word-'.repeat(20)}</b>`;

const site = useSite();
let nodeId = '';
let serviceId = '';
let goneId = '';

beforeAll(async () => {
  ({ node_id: nodeId } = await site.addNode('db-1'));
  const { node_id: otherId } = await site.addNode('db-2');
  ({ node_id: goneId } = await site.addNode('db-gone'));
  const service = { service_type: 'mysql', service_name: 'orders', address: '10.0.0.1', port: 3306 };
  ({ service_id: serviceId } = await site.write('POST', '/v1/services', {
    ...service,
    node_ids: [nodeId, goneId],
    custom_labels: { team: 'shop', rack: 'r1' },
  }));
  await site.write('PATCH', `/v1/services/${serviceId}`, {
    node_ids: [nodeId, goneId, otherId],
    custom_labels: { team: 'pay', rack: null, note: MARKUP },
  });
  await site.api('DELETE', `/v1/nodes/${goneId}?force=true`);
  for (let count = 1; count <= CHANGES; count += 1)
    await site.write('PATCH', `/v1/nodes/${nodeId}`, { distro: `d${count}` });
});

const history = (page: Page) => page.getByRole('table', { name: 'History' });
const rows = (page: Page) => history(page).locator('tbody tr');

test('a long history is read to its beginning by keyboard, and loading, failure and end are accessible', async () => {
  const tab = await site.open(`/#/nodes/${nodeId}`);
  const { page } = tab;
  const held = Promise.withResolvers<undefined>();
  await page.route('**/history?*', async (route) => {
    await held.promise;
    await route.fulfill({ status: 500, json: { message: 'It broke.', details: [], request_id: 'r-1' } });
  });
  await logIn(tab);
  await page.getByText('Loading changes').waitFor();
  await expectAccessible(tab);
  held.resolve(undefined);
  await page.getByText('The changes could not be loaded').waitFor();
  await page.getByText('r-1', { exact: true }).waitFor();
  await expectAccessible(tab);
  await page.unroute('**/history?*');
  await page.getByRole('button', { name: 'Try again' }).click();

  await page.getByText(`(${PAGE}+)`, { exact: true }).waitFor();
  const older = page.getByRole('button', { name: 'Show older' });
  await page.route('**/history?*', (route) => route.fulfill({ status: 500, json: { message: 'It broke.' } }));
  await older.click();
  await page.getByText('More could not be loaded').waitFor();
  await expectAccessible(tab);
  await page.unroute('**/history?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText(`(${2 * PAGE}+)`, { exact: true }).waitFor();
  await older.focus();
  await page.keyboard.press('Enter');
  await page.getByText('No earlier changes: the object was added here.').waitFor();
  await untilFocused(tab, ':has-text("No earlier changes: the object was added here.")');
  await expectAccessible(tab);
  expectClean(tab, [500, 500]);
});

test('at 390 px in the dark nothing exceeds the window', async () => {
  const tab = await site.at(`services/${serviceId}`, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  const { page } = tab;
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
