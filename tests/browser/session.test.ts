import { expectAccessible, expectClean, logIn, useSite, PASSWORD, storedKey, type Tab, untilIdle } from './browser.ts';

const site = useSite();

const atLogIn = ({ page }: Tab) => page.getByRole('heading', { name: 'Log in' }).waitFor();

/** Everything that outlives the page. */
const stored = async ({ page, context }: Tab) =>
  JSON.stringify([
    await page.evaluate('[{ ...localStorage }, { ...sessionStorage }, history.state, location.href]'),
    await context.storageState({ indexedDB: true }),
  ]);

async function logOut({ page }: Tab): Promise<void> {
  await page.getByRole('button', { name: 'admin', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
}

test("a reload continues the tab's session, another tab asks, and a log-out deletes the key", async () => {
  const tab = await site.open('/#/configuration/sessions');
  const { page } = tab;
  await logIn(tab);
  const key = await storedKey(tab);
  expect(key).toMatch(/^minv_/);
  // The session key, in this tab's storage only; the password nowhere.
  expect((await stored(tab)).split(key)).toHaveLength(2);
  expect(await stored(tab)).not.toContain(PASSWORD);
  await page.reload();
  await page.getByRole('row', { name: /This session/ }).waitFor();
  await expectAccessible(tab);
  const other = await tab.context.newPage();
  await other.goto(`${site.server.base}/`);
  await other.getByRole('heading', { name: 'Log in' }).waitFor();
  await logOut(tab);
  await atLogIn(tab);
  await page.getByText('You are logged out.').waitFor();
  await expectAccessible(tab);
  expect(await stored(tab)).not.toContain('minv_');
  expect((await site.api('GET', '/v1/caller', undefined, key)).status).toBe(401);
  await page.reload();
  await atLogIn(tab);
  expectClean(tab);
});

test("an ending session says so, returns to the user's page, and restores typed text", async () => {
  const tab = await site.open();
  const { page } = tab;
  await logIn(tab);
  await page.goto(`${site.server.base}/#/nodes/add`);
  await page.getByLabel('Name', { exact: true }).fill('half typed');
  await page.getByLabel('Address', { exact: true }).fill('10.0.0.1');
  await untilIdle(tab);
  await site.api('DELETE', '/v1/sessions', undefined, await storedKey(tab));
  await page.getByRole('button', { name: 'Add node' }).click();
  await atLogIn(tab);
  await page.getByText('Your session has ended').waitFor();
  expect(await stored(tab)).not.toContain('minv_');
  await expectAccessible(tab);

  await logIn(tab);
  await page.getByRole('heading', { name: 'Add node', level: 1 }).waitFor();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('half typed');
  await page.getByRole('button', { name: 'Add node' }).click();
  await page.getByRole('heading', { name: 'half typed', level: 1 }).waitFor();
  expectClean(tab, [401]);
});

test('a page that was never loaded says that the server is unreachable, and loads when it is back', async () => {
  const tab = await site.open();
  const { page, context } = tab;
  await logIn(tab);
  await untilIdle(tab);
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Audit' }).click();
  await page.getByText('The server cannot be reached.').waitFor();
  await expectAccessible(tab);
  await context.setOffline(false);
  await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
  expect(tab.refusals).toContainEqual(expect.objectContaining({ status: 0 }));
});
