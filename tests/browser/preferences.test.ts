import { expectAccessible, expectClean, useSite, type Tab } from './browser.ts';
import { chooseItem } from './keys.ts';

const site = useSite();
let page = '';

beforeAll(async () => {
  page = `nodes/${(await site.addNode('db-1')).node_id}`;
});

/** Waits until the page says so when its node was added. */
const untilAdded = (tab: Tab, text: RegExp): Promise<void> =>
  tab.page.locator('dt:has-text("Added") + dd time').first().filter({ hasText: text }).waitFor();

/** With the keyboard alone. */
async function choose(tab: Tab, text: string): Promise<void> {
  await tab.page.getByRole('button', { name: 'Preferences' }).focus();
  await tab.page.keyboard.press('Enter');
  const item = tab.page.getByRole('menuitemcheckbox', { name: text });
  await item.waitFor();
  await expectAccessible(tab);
  await chooseItem(tab, item);
}

test("times are in the user's time zone and 24 hours, and UTC is chosen by keyboard and remembered", async () => {
  const tab = await site.at(page, { timezoneId: 'Asia/Tokyo', locale: 'en-US' });
  const { created_at: time } = (await site.api('GET', `/v1/${page}`)).body;
  const [, clock = ''] = /T(\d\d:\d\d)/.exec(time) ?? [];
  const [hours, minutes] = clock.split(':');
  const inTokyo = `${String((Number(hours) + 9) % 24).padStart(2, '0')}:${minutes}`;
  await untilAdded(tab, new RegExp(`^\\w{3} \\d{1,2}, \\d{4}, ${inTokyo}$`));
  await choose(tab, 'UTC');
  await untilAdded(tab, new RegExp(`, ${clock} UTC$`));
  await tab.page.reload();
  await untilAdded(tab, new RegExp(`, ${clock} UTC$`));
  await choose(tab, 'Local time');
  await untilAdded(tab, new RegExp(`, ${inTokyo}$`));
  expectClean(tab);
});

test('a list shows a column for a label, sorts by it, and keeps both', async () => {
  for (const rack of ['9', '10']) await site.addNode(`in-rack-${rack}`, { custom_labels: { rack } });
  const tab = await site.at('nodes', { viewport: { width: 1440, height: 900 } });
  const { page: shown } = tab;
  // A node without the label is last.
  const untilOrdered = () =>
    shown
      .locator('tbody')
      .filter({ hasText: /in-rack-9.*in-rack-10.*db-1/s })
      .waitFor();
  await shown.getByRole('link', { name: 'in-rack-9', exact: true }).waitFor();
  expect(await shown.getByRole('columnheader', { name: /^rack/ }).count()).toBe(0);
  await shown.getByRole('main').getByRole('button', { name: 'Preferences of the list' }).click();
  const dialog = shown.getByRole('dialog', { name: 'Preferences of the list' });
  await dialog.getByLabel('rack', { exact: true }).click();
  await expectAccessible(tab);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await shown.getByRole('gridcell', { name: '10', exact: true }).waitFor();
  await shown.locator('[data-focus-id="sorting-control-label.rack"]').last().press('Enter');
  await shown.locator('th[aria-sort=ascending]').getByText('rack').first().waitFor();
  await shown.waitForURL(/sort=label\.rack$/);
  await untilOrdered();
  await shown.reload();
  await shown.locator('th[aria-sort=ascending]').getByText('rack').first().waitFor();
  await shown.getByRole('gridcell', { name: '10', exact: true }).waitFor();
  await untilOrdered();
  expectClean(tab);
});
