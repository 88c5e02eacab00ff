import {
  expectAccessible,
  expectClean,
  expectNoSidewaysScroll,
  expectNoViolations,
  logInWithKey,
  useSite,
  type Tab,
} from './browser.ts';

const site = useSite();
let viewer: string;

beforeAll(async () => {
  viewer = (await site.write('POST', '/v1/api-keys', { name: 'second user', role: 'Viewer' })).key;
  for (const [address, region] of Object.entries({ '10.0.0.1': 'eu', '10.0.0.2': 'eu', '10.0.0.3': 'us' }))
    await site.addNode(address, { region, address });
});

const button = ({ page }: Tab) => page.getByRole('button', { name: 'Saved filters' });

async function menuItems(tab: Tab) {
  await button(tab).click();
  await tab.page.getByRole('menuitem').first().waitFor();
  const items = await tab.page.getByRole('menuitem').allInnerTexts();
  await tab.page.keyboard.press('Escape');
  return items.map((text) => text.replaceAll(/\s+/g, ' '));
}

async function choose(tab: Tab, item: string) {
  await button(tab).click();
  await tab.page.getByRole('menuitem', { name: item }).click();
}

async function save(tab: Tab, name: string, ...boxes: string[]) {
  await choose(tab, 'Save the filter');
  const dialog = tab.page.getByRole('dialog', { name: 'Save the filter' });
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  for (const box of boxes) await dialog.getByLabel(box).check();
  await expectNoViolations(tab);
  await dialog.getByLabel('Name', { exact: true }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
}

async function logInAgain(tab: Tab, as: () => Promise<unknown>) {
  await tab.page.getByRole('button', { name: /^(admin|second user)/ }).click();
  await tab.page.getByRole('menuitem', { name: 'Log out' }).click();
  await tab.page.getByRole('button', { name: 'Log in' }).waitFor();
  await as();
}

test('everybody sees a shared filter, and each user pins it for their own menu and overview, which counts its objects', async () => {
  const tab = await site.at('nodes?region=eu');
  await tab.page.getByText('2 matches').first().waitFor();
  await save(tab, 'All of Europe', 'Share it with everybody', 'Pin it to my menu and my overview');
  await save(tab, 'Mine');
  const menu = tab.page.getByRole('navigation').getByRole('link', { name: 'All of Europe' });
  await menu.waitFor();
  await tab.page.getByRole('link', { name: 'Overview', exact: true }).click();
  const pinned = tab.page.getByRole('list', { name: 'Pinned filters' });
  await pinned.getByText('2 nodes').waitFor();
  await expectAccessible(tab);
  await pinned.getByRole('link', { name: 'All of Europe' }).click();
  await tab.page.getByText('2 matches').first().waitFor();

  const held = Promise.withResolvers<undefined>();
  await tab.page.route('**/v1/saved-filters', async (route) => {
    await held.promise;
    await route.continue();
  });
  await logInAgain(tab, () => logInWithKey(tab, viewer));
  await button(tab).and(tab.page.locator('[aria-disabled=true]')).waitFor();
  await expectNoViolations(tab);
  held.resolve(undefined);
  expect(await menuItems(tab)).toEqual(['All of Europe Shared by admin', 'Save the filter', 'Manage saved filters']);
  expect(await menu.count()).toBe(0);
  await choose(tab, 'Manage saved filters');
  await expectAccessible(tab);
  expect(await tab.page.getByRole('checkbox', { name: 'Share All of Europe' }).isDisabled()).toBe(true);
  expect(await tab.page.getByRole('button', { name: 'Remove All of Europe' }).count()).toBe(0);
  await tab.page.getByRole('checkbox', { name: 'Pin All of Europe' }).click();
  await menu.waitFor();
  await tab.page.setViewportSize({ width: 390, height: 800 });
  await expectNoSidewaysScroll(tab);
  expectClean(tab);
});
