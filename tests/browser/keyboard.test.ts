import { expectClean, menuLink, useSite, type Tab, untilFocused } from './browser.ts';
import { addFleet, OFFLINE_NODES } from './fleet.ts';
import { choose, hasFocus, moveInGrid, moveTo } from './keys.ts';
import { untilSilent } from './until-silent.ts';

const site = useSite();

beforeAll(async () => {
  await addFleet(site, untilSilent);
});

const heading = ({ page }: Tab, name: string) => page.getByRole('heading', { name, level: 1 });

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
  // At once: what is typed next belongs to the field.
  const isInField = await page.evaluate(`{
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }));
    document.activeElement.matches('[role=search] input');
  }`);
  expect(isInField).toBe(true);
  await page.keyboard.type('orders-2-host-1');
  const options = page.locator('#top header [role=option]');
  // The first option lists all results. The order of the others can change until the inventory is read.
  await options
    .nth(1)
    .filter({ hasText: /^orders-2-host-1/ })
    .waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  // Only the option that Enter opens names its group.
  await options.filter({ hasText: /Nodes \(\d+\)/ }).waitFor();
  await page.keyboard.press('Enter');
  await heading(tab, 'orders-2-host-1').waitFor();

  await openList(tab, 'Nodes', 'Shift+Tab');
  await filterBy(tab, 'nodes', 'State = offline');
  await page.getByText('State = offline').first().waitFor();
  await page.getByText(`${OFFLINE_NODES.length} matches`).first().waitFor();
  const first = page.getByRole('grid', { name: 'Nodes' }).getByRole('link', { name: OFFLINE_NODES[0] });
  await moveInGrid(tab, first);
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

test('with the keyboard alone a filter is saved and opened again, and its list is downloaded', async () => {
  const tab = await site.at('nodes');
  const { page } = tab;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const item = (name: string) => page.getByRole('menuitem', { name, exact: true });
  await filterBy(tab, 'nodes', 'Region = us-east-1');
  await page.getByText('20 matches').first().waitFor();
  // The menu is before the field.
  await choose(tab, button('Saved filters'), item('Save the filter'), 'Shift+Tab');
  await page.getByRole('dialog', { name: 'Save the filter' }).waitFor();
  await moveTo(tab, page.getByRole('dialog').getByLabel('Name', { exact: true }));
  await page.keyboard.type('East');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await moveTo(tab, button('Clear filters'));
  await page.keyboard.press('Enter');
  await page.getByText('20 matches').first().waitFor({ state: 'detached' });
  await choose(tab, button('Saved filters'), item('East'), 'Shift+Tab');
  await page.getByText('20 matches').first().waitFor();
  const download = page.waitForEvent('download');
  await choose(tab, button('Download'), item('CSV'), 'Shift+Tab');
  expect((await download).suggestedFilename()).toBe('nodes.csv');
  expectClean(tab);
});

test('with the keyboard alone a host is removed with its dependants, and restored', async () => {
  const tab = await site.at('nodes?name_prefix=search-2-host-4');
  const { page } = tab;
  await moveInGrid(tab, page.getByRole('link', { name: 'search-2-host-4' }));
  await page.keyboard.press('Enter');
  await heading(tab, 'search-2-host-4').waitFor();
  await moveTo(tab, page.locator('main').getByRole('button', { name: 'Remove', exact: true }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Remove node' });
  await moveTo(tab, dialog.getByRole('checkbox'));
  await page.keyboard.press('Space');
  await moveTo(tab, dialog.getByRole('button', { name: 'Remove', exact: true }));
  await page.keyboard.press('Enter');
  // The message is above the list.
  await moveTo(tab, page.getByRole('button', { name: 'Undo the removal of search-2-host-4' }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await page.getByText(/was restored with \d+ dependent objects/).waitFor();
  expect((await site.api('GET', '/v1/nodes?name_prefix=search-2-host-4')).body.nodes).toHaveLength(1);
  expectClean(tab);
});

test('with the keyboard alone an API key for 30 days is added', async () => {
  const tab = await site.at('configuration/api-keys');
  const { page } = tab;
  await moveTo(tab, page.getByRole('button', { name: 'Add API key' }).first());
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add API key' });
  // The cursor is in the first field: what is typed at once, with a blank, is lost nowhere.
  await untilFocused(tab, '[role=dialog] input');
  await page.keyboard.type('by keyboard');
  const days = dialog.getByRole('radio', { name: '30 days' }).or(dialog.getByRole('button', { name: '30 days' }));
  await moveTo(tab, dialog.getByRole('textbox', { name: 'Time to live' }));
  await page.keyboard.press('Tab');
  for (let presses = 0; presses < 5 && !(await hasFocus(days)); presses += 1) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await moveTo(tab, dialog.getByRole('button', { name: 'Add', exact: true }));
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'API key created' }).waitFor();
  const keys = (await site.api('GET', '/v1/api-keys?name_prefix=by%20keyboard')).body.api_keys;
  expect(Math.round((Date.parse(keys[0].expires_at) - Date.now()) / 86_400_000)).toBe(30);
  expectClean(tab);
});
