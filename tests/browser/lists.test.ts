import { expectAccessible, expectClean, useSite, type Tab, untilIdle } from './browser.ts';

const COUNT = 60;

const site = useSite();
let tab: Tab;

const name = (index: number) => `db-${String(index).padStart(3, '0')}`;

beforeAll(async () => {
  for (let index = 0; index < COUNT; index += 1) {
    const region = index % 20 === 0 ? { region: 'eu-central-1' } : {};
    const type = index === 40 ? 'container' : 'generic';
    const node = { node_type: type, node_name: name(index), address: `10.0.0.${index}`, ...region };
    expect((await site.api('POST', '/v1/nodes', node)).status).toBe(201);
  }
});

beforeEach(async () => {
  tab = await site.at('nodes');
});

const link = (text: string) => tab.page.getByRole('link', { name: text, exact: true });

async function filterBy(...parts: string[]): Promise<void> {
  const input = tab.page.getByRole('combobox', { name: /^Filter/ });
  for (const part of parts) await input.pressSequentially(part);
  await input.press('Enter');
}

test('pages and orders work with Back and survive a reload', async () => {
  const { page } = tab;
  await page.getByText('(60)').waitFor();
  await page.getByRole('button', { name: 'Page 3' }).click();
  await link(name(59)).waitFor();
  expect(page.url()).toMatch(/#\/nodes\?page=3$/);
  await page.reload();
  await link(name(59)).waitFor();
  await page.getByRole('button', { name: 'Page 2' }).click();
  await link(name(30)).click();
  await page.getByRole('heading', { name: name(30), level: 1 }).waitFor();
  await page.goBack();
  await link(name(30)).waitFor();
  expect(await link(name(0)).count()).toBe(0);

  await page.locator('[data-focus-id=sorting-control-address]').last().press('Enter');
  await link(name(0)).waitFor();
  await link(name(24)).click();
  await page.getByRole('heading', { name: name(24), level: 1 }).waitFor();
  await page.goBack();
  await page.locator('th[aria-sort=ascending]').getByText('Address').first().waitFor();
  await link(name(24)).waitFor();
  expectClean(tab);
});

test("filters are typed, suggested from the browser's index, and accessible with and without rows", async () => {
  const { page } = tab;
  await filterBy('Name', ' : ', 'B-0');
  await page.getByText('Name : B-0').waitFor();
  const input = page.getByRole('combobox', { name: 'Filter nodes' });
  await input.pressSequentially('Region');
  await input.pressSequentially(' = ');
  const option = page.locator('[role=option]').filter({ hasText: 'eu-central-1' });
  await option.waitFor();
  // The index may still be read, and more values would move this one.
  await untilIdle(tab);
  await option.click();
  await page.getByText('3 matches').first().waitFor();
  await link(name(20)).waitFor();
  await expectAccessible(tab);
  await filterBy('nothing of this name');
  await page.getByText('No node matches').waitFor();
  await expectAccessible(tab);
  await page.goto(`${site.server.base}/#/nodes?fields=node_name&region=eu-central-1`);
  await page.getByText('The console does not support these parameters').waitFor();
  await expectAccessible(tab);
  await page.goto(`${site.server.base}/#/nodes?state=bogus`);
  await page.getByText('The nodes could not be loaded').waitFor();
  await expectAccessible(tab);
  expectClean(tab);
});

test('a page that loads, fails or is missing is accessible', async () => {
  const { page } = tab;
  let go = () => {};
  const held = new Promise<void>((resolve) => (go = resolve));
  await page.route('**/v1/services?*', async (route) => {
    await held;
    await route.fulfill({
      status: 500,
      json: { code: 13, status: 'INTERNAL', message: 'Internal server error.', details: [], request_id: 'r-4711' },
    });
  });
  await page.goto(`${site.server.base}/#/services`);
  await page.getByText('Loading services').waitFor();
  await expectAccessible(tab);
  go();
  await page.getByText('The services could not be loaded').waitFor();
  await page.getByText('r-4711').waitFor();
  await expectAccessible(tab);
  await page.goto(`${site.server.base}/#/nodes/gone`);
  await page.getByRole('heading', { name: 'This node does not exist' }).waitFor();
  await expectAccessible(tab);
  await page.goto(`${site.server.base}/#/no/such/page`);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await expectAccessible(tab);
  expectClean(tab, [500, 404]);
});
