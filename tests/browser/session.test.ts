import { expectAccessible, expectClean, logIn, openSite, PASSWORD, type Site, type Tab } from './browser.ts';

let site: Site;

beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

const atLogIn = ({ page }: Tab) => page.getByRole('heading', { name: 'Log in' }).waitFor();

const storedKey = ({ page }: Tab): Promise<string> => page.evaluate('sessionStorage.getItem("session-key")');

/** Everything that outlives the page. */
const stored = async ({ page, context }: Tab) =>
  JSON.stringify([
    await page.evaluate('[{ ...localStorage }, { ...sessionStorage }, history.state, location.href]'),
    await context.storageState({ indexedDB: true }),
  ]);

async function logOut({ page }: Tab): Promise<void> {
  await page.getByRole('button', { name: 'admin' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
}

test('unless asked to, the page keeps nothing: a reload asks again', async () => {
  const tab = await site.open();
  await logIn(tab);
  const kept = await stored(tab);
  expect(kept).not.toContain('minv_');
  expect(kept).not.toContain(PASSWORD);
  await tab.page.reload();
  await atLogIn(tab);
  expectClean(tab);
});

test('kept for this tab, a reload goes on, and another tab asks', async () => {
  const tab = await site.open('/#/services');
  await logIn(tab, { keep: true });
  const key = await storedKey(tab);
  expect(key).toMatch(/^minv_/);
  // The session key, in this tab's storage only; the password nowhere.
  expect((await stored(tab)).split(key)).toHaveLength(2);
  expect(await stored(tab)).not.toContain(PASSWORD);
  await tab.page.reload();
  await tab.page.getByRole('heading', { name: 'Services', level: 1 }).waitFor();
  const other = await tab.context.newPage();
  await other.goto(`${site.server.base}/`);
  await other.getByRole('heading', { name: 'Log in' }).waitFor();
  expectClean(tab);
});

test('log out revokes the session and forgets its key', async () => {
  const tab = await site.open();
  await logIn(tab, { keep: true });
  const key = await storedKey(tab);
  expect((await site.api('GET', '/v1/caller', undefined, key)).body).toMatchObject({ kind: 'session', name: 'admin' });
  await logOut(tab);
  await atLogIn(tab);
  await tab.page.getByText('You are logged out.').waitFor();
  await expectAccessible(tab);
  expect(await stored(tab)).not.toContain('minv_');
  expect((await site.api('GET', '/v1/caller', undefined, key)).status).toBe(401);
  await tab.page.reload();
  await atLogIn(tab);
  expectClean(tab);
});

test('a session that ends says so, returns to where the user was, and gives back what was typed', async () => {
  const tab = await site.open();
  const { page } = tab;
  await logIn(tab, { keep: true });
  await page.goto(`${site.server.base}/#/nodes/add`);
  await page.getByLabel('Name', { exact: true }).fill('half typed');
  await page.getByLabel('Address', { exact: true }).fill('10.0.0.1');
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

test('what was typed is not given to somebody who logged out', async () => {
  const tab = await site.open();
  const { page } = tab;
  await logIn(tab);
  await page.goto(`${site.server.base}/#/nodes/add`);
  await page.getByLabel('Name', { exact: true }).fill('half typed');
  await logOut(tab);
  await logIn(tab);
  await page.getByRole('heading', { name: 'Add node', level: 1 }).waitFor();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('');
  expectClean(tab);
});

test('five minutes before its end a session says when it ends, and then ends by itself', async () => {
  const tab = await site.open();
  const { page } = tab;
  await page.clock.install();
  await logIn(tab);
  await page.clock.fastForward('11:56:00');
  await page.getByText('Your session ends at').waitFor();
  await expectAccessible(tab);
  await page.clock.fastForward('00:04:30');
  await page.getByText('Your session has ended').waitFor();
  expectClean(tab);
});

test('without the server, the page says so and goes on when it is back', async () => {
  const tab = await site.open();
  const { page, context } = tab;
  await logIn(tab);
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Load the nodes again' }).click();
  await page.getByText('The server cannot be reached.').waitFor();
  await expectAccessible(tab);
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('link', { name: 'half typed' }).waitFor();
  expectClean(tab, [0]);
});
