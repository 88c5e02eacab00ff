import { eventually } from '../end-to-end/processes.ts';
import {
  expectAccessible,
  expectClean,
  logIn,
  logInWithKey,
  openSite,
  passTime,
  PASSWORD,
  type Site,
  storedKey,
  type Tab,
  untilIdle,
} from './browser.ts';

let site: Site;

beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

const atLogIn = ({ page }: Tab) => page.getByRole('heading', { name: 'Log in' }).waitFor();

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

test('a reload continues the session of the tab, and another tab asks', async () => {
  const tab = await site.open('/#/services');
  await logIn(tab);
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

test('a session that nobody has used for 30 minutes is not kept for a reload', async () => {
  const tab = await site.open('/#/nodes');
  await tab.page.clock.install();
  await logIn(tab);
  await untilIdle(tab);
  const before = await stored(tab);
  await passTime(tab, '29:00');
  // Each use keeps it for longer.
  await tab.page.getByRole('button', { name: 'Reload the nodes' }).click();
  await eventually(async () => (await stored(tab)) !== before);
  await passTime(tab, '29:00');
  expect(await storedKey(tab)).toMatch(/^minv_/);
  await passTime(tab, '02:00');
  expect(await stored(tab)).not.toContain('minv_');
  await tab.page.reload();
  await atLogIn(tab);
  expectClean(tab);
});

test('an API key is never kept: a reload asks again', async () => {
  const { key } = (await site.api('POST', '/v1/api-keys', { name: 'own', role: 'Viewer' })).body;
  const tab = await site.open();
  await logInWithKey(tab, key);
  expect(await stored(tab)).not.toContain('minv_');
  await tab.page.reload();
  await atLogIn(tab);
  expectClean(tab);
});

test('an API key that is removed while it is used says so, and the form asks for a key', async () => {
  const { key, key_id: id } = (await site.api('POST', '/v1/api-keys', { name: 'removed', role: 'Viewer' })).body;
  const tab = await site.open();
  const { page } = tab;
  await logInWithKey(tab, key);
  await page.goto(`${site.server.base}/#/nodes`);
  await page.getByRole('heading', { name: 'Nodes', level: 1 }).waitFor();
  await untilIdle(tab);
  await site.api('DELETE', `/v1/api-keys/${id}`);
  await page.getByRole('button', { name: 'Reload the nodes' }).click();
  await atLogIn(tab);
  await page.getByText('The API key that you logged in with no longer works (it was removed or rotated).').waitFor();
  expect(await page.getByRole('radio', { name: 'API key' }).isChecked()).toBe(true);
  await page.getByLabel('API key', { exact: true }).waitFor();
  await expectAccessible(tab);
  expectClean(tab, [401]);
});

test('log out revokes the session and forgets its key', async () => {
  const tab = await site.open();
  await logIn(tab);
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

test('text in a form is not shown after the user has logged out', async () => {
  const tab = await site.open();
  const { page } = tab;
  await logIn(tab);
  await page.goto(`${site.server.base}/#/nodes/add`);
  await page.getByLabel('Name', { exact: true }).fill('half typed');
  await logOut(tab);
  await page.getByRole('dialog', { name: 'Leave this page?' }).getByRole('button', { name: 'Leave' }).click();
  await atLogIn(tab);
  await logIn(tab);
  await page.getByRole('heading', { name: 'Add node', level: 1 }).waitFor();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('');
  expectClean(tab);
});

test('after a log-out, the next user sees nothing that the former one has loaded', async () => {
  await site.addNode('of-the-former-user');
  const tab = await site.open('/#/nodes');
  const { page } = tab;
  const row = page.getByRole('table', { name: 'Nodes' }).getByText('of-the-former-user');
  await logIn(tab);
  await row.waitFor();
  await logOut(tab);
  await atLogIn(tab);
  const { promise: held, resolve: release } = Promise.withResolvers<undefined>();
  await page.route('**/v1/nodes?*', async (route) => {
    await held;
    await route.continue();
  });
  await logIn(tab);
  await page.getByRole('table', { name: 'Nodes' }).getByText('Loading nodes').first().waitFor({ state: 'attached' });
  expect(await row.count()).toBe(0);
  release(undefined);
  await row.waitFor();
  expectClean(tab);
});

test('five minutes before its end a session says when it ends, and then ends by itself', async () => {
  const tab = await site.open();
  const { page } = tab;
  await page.clock.install();
  await logIn(tab);
  await passTime(tab, '11:56:00');
  await page.getByText('Your session expires at').waitFor();
  await expectAccessible(tab);
  await passTime(tab, '00:04:30');
  await page.getByText('Your session has ended').waitFor();
  expectClean(tab);
});

test('without the server, the page says so, and continues when the server answers again', async () => {
  const tab = await site.open('/#/nodes');
  const { page, context } = tab;
  await logIn(tab);
  await page.getByRole('link', { name: 'half typed' }).waitFor();
  await untilIdle(tab);
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Reload the nodes' }).click();
  await page.getByText('The server cannot be reached.').waitFor();
  await expectAccessible(tab);
  await context.setOffline(false);
  // Without a click: the page asks again every few seconds.
  await page.getByText('The server cannot be reached.').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'half typed' }).waitFor();
  // One for each time that the page has asked in the meantime.
  expect([...new Set(tab.refusals.map(({ status }) => status))]).toEqual([0]);
  expectClean({ ...tab, refusals: [] });
});

test('a page that was never loaded says that the server cannot be reached', async () => {
  const tab = await site.open();
  const { page, context } = tab;
  await logIn(tab);
  await untilIdle(tab);
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Audit' }).click();
  await page.getByText('The server cannot be reached.').waitFor();
  await expectAccessible(tab);
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
  expect(tab.refusals).toContainEqual(expect.objectContaining({ status: 0 }));
});

test('open sessions are listed, and one that is ended logs its user out', async () => {
  const [tab, other] = [await site.at('configuration/sessions'), await site.at('nodes')];
  const { page } = tab;
  const own = await storedKey(other);
  const { sessions } = (await site.api('GET', '/v1/sessions', undefined, own)).body;
  expect(sessions.filter(({ current }: any) => current === true)).toHaveLength(1);
  await page.getByRole('button', { name: 'Reload the sessions' }).click();
  await page.getByRole('heading', { name: `Sessions (${sessions.length})` }).waitFor();
  await page.getByRole('row', { name: /This session/ }).waitFor();
  await expectAccessible(tab);
  // Each one but that of this tab: those of the tests before are there as well.
  const ends = page
    .getByRole('row')
    .filter({ hasNotText: 'This session' })
    .getByRole('button', { name: /^End the/ });
  await untilIdle(other);
  for (let left = await ends.count(); left > 0; left -= 1) {
    await ends.first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
    await page.getByRole('heading', { name: `Sessions (${left})` }).waitFor();
  }
  expect((await site.api('GET', '/v1/caller', undefined, own)).status).toBe(401);
  await other.page.getByRole('button', { name: 'Reload the nodes' }).click();
  await atLogIn(other);
  expectClean(tab);
  expectClean(other, [401]);
});
