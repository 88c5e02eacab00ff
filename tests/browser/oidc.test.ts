import { freePort } from '../support/free-port.ts';
import { settingsFor } from '../support/oidc-log-in.ts';
import { type OidcServer, startOidcServer } from '../support/oidc-server.ts';
import { expectClean, expectNoViolations, openSite, type Site, storedKey, type Tab } from './browser.ts';

let provider: OidcServer;
let site: Site;

beforeAll(async () => {
  const port = await freePort();
  const redirectUri = `https://localhost:${port}/`;
  provider = await startOidcServer({ redirectUri });
  const settings = await settingsFor(provider, { displayName: 'Example Corp', redirectUris: [redirectUri] });
  const issuer = `http://127.0.0.1:${await freePort()}`;
  const gone = { ...settings, name: 'gone', displayName: 'Gone Corp', issuer };
  site = await openSite({ PORT: String(port), IDENTITY_PROVIDERS: JSON.stringify([settings, gone]) });
  const binding = { name: 'dba', provider: 'corporate', claims: { groups: ['dba'] }, role: 'Editor' };
  await site.write('POST', '/v1/role-bindings', binding);
});
afterAll(async () => {
  await site.close();
  await provider.stop();
});

/** Requests to the provider are a part of the log-in. */
function expectCleanAtBoth(tab: Tab, refusals: readonly number[] = []): void {
  const ownProblems = tab.problems.filter(
    (problem) => !problem.startsWith(`request to elsewhere: ${provider.issuer}/`),
  );
  expectClean({ ...tab, problems: ownProblems }, refusals);
}

/** Chooses the provider, where the person is logged in. */
async function logInAtProvider({ page }: Tab): Promise<void> {
  await page.getByRole('radio', { name: 'Example Corp' }).check();
  await page.getByRole('button', { name: 'Log in' }).click();
}

test('a person with a binding logs in at the provider, returns to the same page, and logs out, also at the provider', async () => {
  const tab = await site.open('/#/account');
  const { page } = tab;
  await page.getByRole('radio', { name: 'Example Corp' }).check();
  await page.getByText('You log in at Example Corp').waitFor();
  await expectNoViolations(tab);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.locator('#top').waitFor();
  await page.getByText('Identity provider', { exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe('');
  expect(new URL(page.url()).hash).toBe('#/account');
  const key = await storedKey(tab);
  const { body: caller } = await site.api('GET', '/v1/caller', undefined, key);
  expect(caller).toMatchObject({ kind: 'session', name: 'corporate/maria', role: 'Editor' });
  await page.getByText('The role binding dba gives this role').waitFor();
  await page.getByText('It is renewed until').waitFor();
  const storage = String(
    await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])'),
  );
  expect(storage).not.toMatch(/provider-log-in|code_verifier|nonce|eyJ/);
  expect(storage).toContain('session-key');
  // The page before it is the log-in of this test.
  await page.goBack();
  await page.getByText('Identity provider', { exact: true }).waitFor();
  expect(page.url()).not.toMatch(/[?&](code|state)=/);
  expect(await page.getByText('Change your password').count()).toBe(0);
  await page.reload();
  await page.getByText('Identity provider', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'corporate/maria', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  expect((await site.api('GET', '/v1/caller', undefined, key)).status).toBe(401);
  await page.getByRole('radio', { name: 'Example Corp' }).check();
  await page.getByRole('link', { name: 'Log out at Example Corp' }).click();
  await page.getByRole('button', { name: 'Yes' }).click();
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  expect(page.url()).toBe(`${site.server.base}/`);
  expectCleanAtBoth(tab);
});

test('after a removed binding the session continues with the remaining role', async () => {
  const binding = { name: 'ops', provider: 'corporate', claims: { groups: ['ops'] }, role: 'Admin' };
  await site.write('POST', '/v1/role-bindings', binding);
  provider.accounts.set('o-1', { preferred_username: 'olga', groups: ['dba', 'ops'] });
  provider.person = 'o-1';
  const tab = await site.open('/#/account');
  const { page } = tab;
  await logInAtProvider(tab);
  await page.getByText('The role binding ops gives this role').waitFor();
  const [key, refreshes] = [await storedKey(tab), provider.requests.filter((path) => path === '/token').length];
  await site.write('DELETE', '/v1/role-bindings/ops');
  await page.goto(`${site.server.base}/#/nodes`);
  await page.getByRole('heading', { name: 'Nodes', level: 1 }).waitFor();
  await page.goto(`${site.server.base}/#/account`);
  await page.getByText('The role binding dba gives this role').waitFor();
  const next = await storedKey(tab);
  expect(next).not.toBe(key);
  const { body: caller } = await site.api('GET', '/v1/caller', undefined, next);
  expect(caller).toMatchObject({ name: 'corporate/olga', role: 'Editor' });
  expect(provider.requests.filter((path) => path === '/token')).toHaveLength(refreshes + 1);
  // Requests of one page can be refused at once; one renewal follows.
  expect(tab.refusals.length).toBeGreaterThan(0);
  expectCleanAtBoth(
    tab,
    tab.refusals.map(() => 401),
  );
  provider.person = 'm-1';
});

test('a redirect that did not begin in this tab is not redeemed, also while the tab waits for its own', async () => {
  const tab = await site.open('/?code=invented&state=of-another-tab');
  const { page } = tab;
  const notice = page.getByText('This log-in did not begin in this tab');
  await notice.waitFor();
  expect(new URL(page.url()).search).toBe('');
  await page.route(`${provider.issuer}/**`, (route) => route.fulfill({ contentType: 'text/plain', body: 'away' }));
  await logInAtProvider(tab);
  await page.waitForURL(`${provider.issuer}/**`);
  await page.goto(`${site.server.base}/?code=invented&state=of-another-tab`);
  await notice.waitFor();
  expect(await storedKey(tab)).toBeUndefined();
  // A redeemed code would be refused with 401.
  expectCleanAtBoth(tab);
});

test('without a binding, and at a provider that refuses the client or is gone, a person reads whom to ask', async () => {
  const tab = await site.open();
  const { page } = tab;
  provider.accounts.set('g-1', { preferred_username: 'guest', groups: ['guests'] });
  provider.person = 'g-1';
  await logInAtProvider(tab);
  await page.getByText('Ask an administrator of the inventory for a role binding').waitFor();
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  expect(await storedKey(tab)).toBeUndefined();
  await expectNoViolations(tab);
  provider.person = 'm-1';
  provider.fault = (path) => (path === '/token' ? { status: 401, body: '{"error":"invalid_client"}' } : undefined);
  await logInAtProvider(tab);
  await page.getByText('Log-in with Example Corp does not work at the moment. Try again later, or ask your').waitFor();
  provider.fault = undefined;
  await page.getByRole('radio', { name: 'Gone Corp' }).check();
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('Gone Corp cannot be reached at the moment. Try again later, or ask your').waitFor();
  expect(await storedKey(tab)).toBeUndefined();
  await expectNoViolations(tab);
  expectCleanAtBoth(tab, [403, 503]);
});
