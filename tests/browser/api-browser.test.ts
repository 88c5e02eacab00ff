import type { Page } from 'playwright-core';
import { eventually } from '../end-to-end/processes.ts';
import { expectClean, expectNoSidewaysScroll, expectNoViolations, useSite, PASSWORD, storedKey } from './browser.ts';
import { authorise, openGroup } from './swagger.ts';

const site = useSite();

test('the API browser sends a request with a key and shows its real reply', async () => {
  const { key } = (await site.api('POST', '/v1/api-keys', { name: 'browser', role: 'Editor' })).body;
  const tab = await site.open('/swagger');
  const { page } = tab;
  expect(page.url()).toBe(`${site.server.base}/swagger/`);

  await authorise(page, key);
  await openGroup(page, 'Nodes');
  const operation = page.locator('.opblock').filter({ hasText: 'Add a node' });
  await operation.locator('.opblock-summary-control').click();
  await operation
    .locator('textarea')
    .fill('{"node_type": "generic", "node_name": "from-swagger", "address": "10.0.0.1"}');
  await operation.getByRole('button', { name: 'Execute' }).click();
  const reply = operation.locator('.live-responses-table');
  await reply.locator('.response-col_status').filter({ hasText: '201' }).waitFor();
  expect(await reply.textContent()).toContain('from-swagger');
  // A picture of the page does not give the key away; the command that is copied has it.
  await operation.locator('.curl-command').getByText('Authorization: Bearer ••••••••').waitFor();
  expect(await page.locator('body').innerText()).not.toContain(key);
  await operation.locator('.curl-command').getByRole('button', { name: /copy/i }).click();
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
  await eventually(async () => (await copied()).includes(`Authorization: Bearer ${key}`));
  expect(await page.getByRole('main').count()).toBe(1);
  const { nodes } = (await site.api('GET', '/v1/nodes')).body;
  expect(nodes).toMatchObject([{ node_name: 'from-swagger' }]);

  // The key is in memory only.
  const stored = await page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])',
  );
  expect(stored).not.toContain(key);
  expectClean(tab);
});

test("the schemas of a union have their components' names", async () => {
  const tab = await site.open('/swagger/#/Nodes/addNode');
  const operation = tab.page.locator('.opblock').filter({ hasText: 'Add a node' });
  const body = operation.locator('.opblock-section-request-body');
  await body.getByRole('tab', { name: 'Schema' }).click();
  await body.getByRole('button', { name: 'Expand all' }).first().click();
  await body.getByText('#0 Add_generic_node', { exact: true }).waitFor();
  expectClean(tab);
});

test("a refused key gets the API's reply", async () => {
  const tab = await site.open('/swagger/#/Server/getVersion');
  const { page } = tab;
  const operation = page.locator('.opblock').filter({ hasText: '/v1/version' });
  await operation.getByRole('button', { name: 'Execute' }).click();
  await operation.locator('.live-responses-table .response-col_status').filter({ hasText: '401' }).waitFor();
  expectClean(tab, [401]);
});

/** Executes GET /v1/caller, and waits for its reply. */
async function executeGetCaller(page: Page) {
  await openGroup(page, 'Server');
  const operation = page.locator('.opblock-get').filter({ hasText: '/v1/caller' });
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  const reply = operation.locator('.live-responses-table');
  await reply.locator('.response-col_status').filter({ hasText: '200' }).waitFor();
  return { operation, reply };
}

test('user and password also work, and a request without a body needs one click', async () => {
  const tab = await site.open('/swagger/');
  const { page } = tab;
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  const basic = page.locator('.auth-container').filter({ hasText: 'Basic' });
  await basic.getByLabel(/username/i).fill('admin');
  await basic.getByLabel(/password/i).fill(PASSWORD);
  await basic.getByRole('button', { name: /Apply|Authorize/ }).click();
  await page.locator('.close-modal').click();
  const { operation, reply } = await executeGetCaller(page);
  expect(await reply.textContent()).toContain('"Admin"');
  await operation.locator('.curl-command').getByText('Authorization: Basic ••••••••').waitFor();
  expectClean(tab);
});

test('operations are grouped, and each shows its role and errors', async () => {
  const tab = await site.open('/swagger/');
  const { page } = tab;
  await page.locator('.opblock-tag').first().waitFor();
  const groups = await page.locator('.opblock-tag > a').allTextContents();
  const { tags, paths }: any = await page.evaluate(async () => (await fetch('/swagger/openapi.json')).json());
  expect(groups).toEqual(tags.map(({ name }: any) => name));
  expect(groups).toEqual(expect.arrayContaining(['Nodes', 'Services', 'Agents', 'API keys', 'Server']));
  // The groups are closed, and the menu counts their operations.
  expect(await page.locator('.opblock').count()).toBe(0);
  const operations = Object.values<any>(paths).flatMap((path) => Object.values<any>(path));
  const counts = tags.map(
    ({ name }: any) => `${name} ${operations.filter((operation) => operation.tags?.[0] === name).length}`,
  );
  const menu = page.getByRole('navigation', { name: 'Groups of operations' });
  await menu
    .getByRole('listitem')
    .nth(counts.length - 1)
    .waitFor();
  expect(await menu.getByRole('listitem').allTextContents()).toEqual(counts);
  await openGroup(page, 'Nodes');
  const operation = page.locator('.opblock').filter({ hasText: 'Remove a node' });
  await operation.locator('.opblock-summary-control').click();
  await operation.locator('.opblock-description').getByText('Editor').waitFor();
  const statuses = operation.locator('.responses-table .response-col_status');
  for (const status of ['400', '401', '403', '404', '500'])
    await statuses.filter({ hasText: new RegExp(`^${status}`) }).waitFor();
  expectClean(tab);
});

test('an id in a reply links to the operation that gets its object', async () => {
  const node = await site.addNode('linked');
  const tab = await site.at('nodes');
  const { page } = tab;
  await page.goto(`${site.server.base}/swagger/#/Nodes/listNodes`);
  await page.getByText('Requests use your session in the console').waitFor();
  const list = page.locator('.opblock').filter({ hasText: 'List nodes' });
  await list.getByRole('button', { name: 'Execute' }).click();
  const link = list.locator('.live-responses-table').getByRole('link', { name: `"${node.node_id}"` });
  await link.focus();
  await page.keyboard.press('Enter');
  const get = page.locator('#operations-Nodes-getNode');
  await get.locator(`input[value="${node.node_id}"]`).waitFor();
  await get.locator('button.execute:focus').press('Enter');
  await get.locator('.live-responses-table .response-col_status').filter({ hasText: '200' }).waitFor();
  expect(await get.locator('.live-responses-table').textContent()).toContain('linked');
  expectClean(tab);
});

test('from the console, requests use its session, and a reload keeps it', async () => {
  const tab = await site.at('nodes');
  const opened = tab.context.waitForEvent('page');
  await tab.page.getByRole('link', { name: /API browser/ }).click();
  const page = await opened;
  await page.getByText('Requests use your session in the console: admin, Admin').waitFor();
  await page.reload();
  await page.getByText('Requests use your session in the console: admin, Admin').waitFor();
  const { reply } = await executeGetCaller(page);
  expect(await reply.textContent()).toContain('"session"');
  expect(await storedKey({ ...tab, page })).toBe(await storedKey(tab));
  expectClean(tab);
});

/** One operation of each method. */
const operations = ['List nodes', 'Add a node', 'Upsert a node', 'Change a node', 'Remove a node'];

const looks = [1440, 390].flatMap((width) => (['light', 'dark'] as const).map((colours) => [width, colours] as const));

test.each(looks)(
  'at %d px and %s axe finds nothing in the API browser, and nothing exceeds the window',
  async (...look) => {
    const [width, colorScheme] = look;
    const tab = await site.open('/swagger/', { viewport: { width, height: 900 }, colorScheme });
    const { page } = tab;
    const expectNothing = async () => {
      await expectNoSidewaysScroll(tab);
      await expectNoViolations(tab);
    };
    await page.locator('.opblock-tag').first().waitFor();
    await expectNothing();
    await openGroup(page, 'Nodes');
    for (const name of operations) {
      const operation = page.locator('.opblock').filter({ hasText: name });
      await operation.locator('.opblock-summary-control').click();
      await operation.locator('.responses-table').first().waitFor();
      if (name === 'List nodes') {
        await operation.getByRole('button', { name: 'Execute' }).click();
        await operation.locator('.live-responses-table .response-col_status').filter({ hasText: '401' }).waitFor();
      }
      await expectNothing();
      await operation.locator('.opblock-summary-control').click();
    }
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await page.locator('#auth-bearer-value').waitFor();
    await expectNothing();
    expectClean(tab, [401]);
  },
);
