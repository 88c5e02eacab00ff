import type { Locator } from 'playwright-core';
import { expectClean, openSite, type Site, type Tab } from './browser.ts';
import { addFleet, OFFLINE_NODES } from './fleet.ts';

let site: Site;

beforeAll(async () => {
  site = await openSite();
  await addFleet(site);
});
afterAll(() => site.close());

/** No page has more stops on the way to one of its main controls. */
const MAX_STOPS = 80;

const hasFocus = (target: Locator) =>
  target.evaluate((element: any) => element === element.ownerDocument.activeElement);

/** Goes to an element with one key, as a user without a pointer does. */
async function moveTo({ page }: Tab, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor();
  for (let stops = 0; stops < MAX_STOPS; stops += 1) {
    await page.keyboard.press(key);
    if (await hasFocus(target)) return;
  }
  throw new Error(`The keyboard does not reach ${String(target)}`);
}

const heading = ({ page }: Tab, name: string) => page.getByRole('heading', { name, level: 1 });
const menuLink = ({ page }: Tab, name: string) =>
  page.getByRole('navigation', { name: 'Side navigation' }).getByRole('link', { name, exact: true });

/** Opens a list. From the heading of a page, the menu is the other way. */
async function openList(tab: Tab, name: string, key?: 'Shift+Tab'): Promise<void> {
  await moveTo(tab, menuLink(tab, name), key);
  await tab.page.keyboard.press('Enter');
  await heading(tab, name).waitFor();
}

async function filterBy(tab: Tab, noun: string, text: string): Promise<void> {
  const field = tab.page.getByRole('combobox', { name: `Filter ${noun}` });
  if (!(await hasFocus(field))) await moveTo(tab, field);
  await tab.page.keyboard.type(text);
  await tab.page.keyboard.press('Enter');
}

test('with the keyboard alone a host is found and opened, and the offline hosts are listed', async () => {
  const tab = await site.at('overview');
  const { page } = tab;
  await page.keyboard.press('/');
  await page.keyboard.type('orders-2-host-1');
  await page.locator('#top header [role=option]').filter({ hasText: 'orders-2-host-1' }).first().waitFor();
  // The first option lists all results.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await heading(tab, 'orders-2-host-1').waitFor();

  await openList(tab, 'Nodes', 'Shift+Tab');
  await filterBy(tab, 'nodes', 'State = offline');
  await page.getByText('State = offline').first().waitFor();
  await page.getByText(`${OFFLINE_NODES.length} matches`).first().waitFor();
  const first = page.getByRole('table', { name: 'Nodes' }).getByRole('link', { name: OFFLINE_NODES[0] });
  await moveTo(tab, first);
  await page.keyboard.press('Enter');
  await heading(tab, OFFLINE_NODES[0]).waitFor();
  expectClean(tab);
});

test('with the keyboard alone the exporters of one cluster are disabled', async () => {
  const tab = await site.at('overview');
  const { page } = tab;
  await openList(tab, 'Agents');
  await filterBy(tab, 'agents', 'Cluster = orders-1');
  await page.getByText('8 matches').first().waitFor();
  await filterBy(tab, 'agents', 'Type = mysqld_exporter');
  await page.getByText('4 matches').first().waitFor();
  await moveTo(tab, page.getByRole('checkbox', { name: 'Select all of this page' }).last());
  await page.keyboard.press('Space');
  await page.getByText('(4/4)').waitFor();
  await moveTo(tab, page.getByRole('button', { name: 'Actions' }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  const disable = page.getByRole('menuitem', { name: 'Disable' });
  await disable.waitFor();
  for (let presses = 0; presses < 6 && !(await hasFocus(disable)); presses += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Disable: 4 agents' });
  await moveTo(tab, dialog.getByRole('button', { name: 'Disable', exact: true }));
  await page.keyboard.press('Enter');
  await page.getByText('Disabled: 4 agents.').first().waitFor();
  const { agents } = (await site.api('GET', '/v1/agents?agent_type=mysqld_exporter&page_size=100')).body;
  expect(agents.filter(({ disabled }: { disabled?: boolean }) => disabled === true)).toHaveLength(4);
  expectClean(tab);
});
