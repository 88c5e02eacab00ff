import type { Page } from 'playwright-core';
import {
  expectAccessible,
  expectClean,
  expectNoSidewaysScroll,
  openSite,
  type Site,
  type Tab,
  untilIdle,
} from './browser.ts';

let site: Site;
let nodeId = '';

beforeAll(async () => {
  site = await openSite();
  ({ node_id: nodeId } = await site.addNode('db-1', { az: 'zone-a', custom_labels: { team: 'shop' } }));
  await site.write('PATCH', `/v1/nodes/${nodeId}`, { az: 'zone-b', custom_labels: { team: null, rack: 'r1' } });
  await site.write('PATCH', `/v1/nodes/${nodeId}`, { az: 'zone-c' });
  const { node_id: goneId } = await site.addNode('db-gone', { distro: 'debian' });
  await site.write('PATCH', `/v1/nodes/${goneId}`, { distro: 'ubuntu' });
  await site.api('DELETE', `/v1/nodes/${goneId}`);
});
afterAll(() => site.close());

const rows = ({ page }: Tab) => page.getByRole('table', { name: 'Fields at this time' }).locator('tbody tr');
const timeIn = (page: Page) => new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get('time');

/** The cells of the rows of some fields. */
const shown = async (tab: Tab, ...fields: string[]) => {
  await rows(tab).first().waitFor();
  await untilIdle(tab);
  const all = await Promise.all(
    (await rows(tab).all()).map(async (row) =>
      (await row.locator('th, td').allInnerTexts()).map((text) => text.replaceAll('\n', ' ')),
    ),
  );
  return all.filter(([field]) => fields.includes(field!));
};

test('the steps to the states before and after keep the focus, and end at the add and now', async () => {
  const tab = await site.at(`nodes/${nodeId}`);
  const { page } = tab;
  await page.getByRole('link', { name: 'As of a time' }).click();
  await page.getByText('(0 differ)').waitFor();
  const before = page.getByRole('button', { name: 'State before' });
  const untilAtButton = () => before.and(page.locator(':focus')).waitFor();
  await before.focus();
  for (const [revision, zone] of [
    [2, 'zone-b'],
    [1, 'zone-a'],
  ] as const) {
    await page.keyboard.press('Enter');
    await page.getByText(new RegExp(`^Revision ${revision}, from`)).waitFor();
    expect((await shown(tab, 'Availability zone'))[0]![1]).toBe(zone);
    await untilAtButton();
  }
  await page.keyboard.press('Enter');
  await page.getByText('The node was not in the inventory yet').waitFor();
  await expectAccessible(tab);
  await untilAtButton();
  await page.getByRole('button', { name: 'State after' }).click();
  await page.getByText(/^Revision 1, from/).waitFor();
  await page.getByRole('button', { name: 'Now', exact: true }).click();
  await page.getByText('(0 differ)').waitFor();
  expect(timeIn(page)).toBeNull();
  expectClean(tab);
});

test('axe finds nothing before the add, with a wrong time, after a removal, and where nothing ever was', async () => {
  const tab = await site.at(`nodes/${nodeId}/as-of?time=2020-02-29T10:30:05Z`);
  const { page } = tab;
  await page.getByText('The node was not in the inventory yet').waitFor();
  await expectAccessible(tab);
  await page.getByRole('textbox', { name: 'As of', exact: true }).fill('2999/01/01');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByText('Must not be in the future.').waitFor();
  await expectAccessible(tab);
  await page.goto(`${site.server.base}/#/removed`);
  await page.getByRole('link', { name: 'node db-gone' }).click();
  await page.getByText(/^The node was removed at/).waitFor();
  await expectAccessible(tab);
  await page.goto(`${site.server.base}/#/nodes/nowhere/as-of`);
  await page.getByText('This node does not exist').waitFor();
  await expectAccessible(tab);
  expectClean(tab, [400, 404]);
});

test('at 390 px and in the dark', async () => {
  const tab = await site.at(`nodes/${nodeId}/as-of`, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  await rows(tab).first().waitFor();
  await tab.page.getByRole('button', { name: 'State before' }).click();
  await tab.page.getByText('(1 differ)').waitFor();
  await expectNoSidewaysScroll(tab);
  await expectAccessible(tab);
  expectClean(tab);
});
