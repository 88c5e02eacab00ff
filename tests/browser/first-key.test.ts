import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  expectAccessible,
  expectClean,
  logIn,
  menuLink,
  openSite,
  sharedTab,
  type Site,
  type Tab,
  untilIdle,
} from './browser.ts';

const run = promisify(execFile);

let site: Site;
let tab: Tab;

beforeAll(async () => {
  site = await openSite();
  tab = sharedTab(await site.open());
});
afterAll(() => site.close());

/** Everything that the page, its history and its storage say. */
async function everythingKept({ page, context }: Tab): Promise<string> {
  const kept = await page.evaluate(`JSON.stringify([
    document.documentElement.outerHTML,
    [...document.querySelectorAll('input, textarea')].map((control) => control.value),
    location.href, history.state, { ...localStorage }, { ...sessionStorage }, document.cookie,
  ])`);
  return JSON.stringify([kept, await context.storageState({ indexedDB: true }), page.url()]);
}

/** The line as it is shown, run by a shell. */
async function statusOf(curlLine: string): Promise<string> {
  const { stdout } = await run('/bin/sh', ['-c', `${curlLine} --silent --output /dev/null --write-out '%{http_code}'`]);
  return stdout;
}

let key = '';
let curlLine = '';

test('the log-in page asks for user and password, and nothing about it is wrong', async () => {
  await tab.page.getByRole('heading', { name: 'Log in' }).waitFor();
  await expectAccessible(tab);
  expectClean(tab);
});

test('a wrong password is said to be wrong', async () => {
  const { page } = tab;
  await page.locator('input[name=password]').fill('wrong');
  await page.getByRole('button', { name: 'Log in' }).click();
  expect(await page.getByRole('alert').textContent()).toBe('Invalid username or password');
  expectClean(tab, [401]);
  tab.refusals.length = 0;
});

test('Configuration > API keys is two clicks away', async () => {
  const { page } = tab;
  await logIn(tab);
  await menuLink(tab, 'API keys').click();
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
  await page.getByText('No API keys yet').waitFor();
  await expectAccessible(tab);
});

test('Add API key opens a dialog with name, role Viewer and 90 days to live, which is checked as it is typed', async () => {
  const { page } = tab;
  await page.getByRole('button', { name: 'Add API key' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add API key' });
  await dialog.waitFor();
  expect(await dialog.getByRole('button', { name: /^Role/ }).textContent()).toContain('Viewer');
  const life = dialog.getByLabel('Time to live', { exact: true });
  expect(await life.inputValue()).toBe('90d');
  await dialog.getByRole('button', { name: 'Never', exact: true }).click();
  await dialog.getByText('Never expires.', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: '1 year' }).click();
  expect(await life.inputValue()).toBe('1y');
  await life.fill('1.5d');
  await dialog.getByText('Must be a whole number and a unit').waitFor();
  await life.fill('30d');
  const expiry = await dialog.getByText(/^Expires /).textContent();
  const days = (Date.parse((expiry ?? '').replace('Expires ', '').replace(/\.$/, '')) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(30);
  await expectAccessible(tab);

  // Without a name nothing is sent.
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByText('Must not be empty.').waitFor();
  expectClean(tab);
});

test('API key created shows the key once, with a curl line that works as it is', async () => {
  const { page } = tab;
  const dialog = page.getByRole('dialog', { name: 'Add API key' });
  await dialog.getByLabel('Key name').fill('first key');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();

  const created = page.getByRole('dialog', { name: 'API key created' });
  await created.waitFor();
  await created.getByText('It is shown only once.').waitFor();
  [key = '', curlLine = ''] = await created.locator('code').allTextContents();
  expect(key).toMatch(/^minv_[0-9A-Za-z]{43}_[0-9a-f]{8}$/);
  expect(curlLine).toContain(key);
  expect(await statusOf(curlLine)).toBe('200');
  await expectAccessible(tab);
  await created.getByRole('tab', { name: 'Basic' }).click();
  const [, basicLine = ''] = await created.locator('code').allTextContents();
  expect(basicLine).toContain(`-u "api_key:${key}"`);
  expect(await statusOf(basicLine)).toBe('200');
  await expectAccessible(tab);

  // A stray click or key press does not lose it.
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 400);
  expect(await created.isVisible()).toBe(true);

  await created.getByRole('button', { name: 'Copy: Key of first key' }).click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
});

test('after closing, the key is nowhere: not in the page, the history or the storage', async () => {
  const { page } = tab;
  expect(await everythingKept(tab)).toContain(key);
  await page
    .getByRole('dialog', { name: 'API key created' })
    .getByRole('button', { name: 'Close', exact: true })
    .click();
  await page.getByRole('row', { name: /first key/ }).waitFor();
  const kept = await everythingKept(tab);
  expect(kept).not.toContain(key);
  expect(kept).not.toContain(key.slice(9, -9));
  const row = page.getByRole('row', { name: /first key/ });
  await page.goBack();
  await row.waitFor({ state: 'detached' });
  await page.goForward();
  await row.waitFor();
  expect(await everythingKept(tab)).not.toContain(key.slice(9, -9));
});

test('the list shows what there is to know of the key', async () => {
  const { page } = tab;
  await page.getByRole('button', { name: 'Reload the API keys' }).click();
  await untilIdle(tab);
  const row = page.getByRole('row', { name: /first key/ });
  const cells = await row.getByRole('cell').allTextContents();
  const [role, created, expires, , limit, prefix] = cells;
  expect(limit).toBe('No limit');
  expect(role).toBe('Viewer');
  expect(created).toMatch(/\d{4}/);
  expect(expires).toMatch(/^(Expires )?in (29|30) days$/);
  expect(await row.getByRole('cell').nth(2).locator('time').getAttribute('title')).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect(prefix).toBe(`${key.slice(0, 9)}…`);
  await page.getByPlaceholder('Find by name, role or first characters').fill('no such key');
  await page.getByText('No key matches').waitFor();
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await row.waitFor();
});

test('a name that is taken is refused beside it, until another one is written', async () => {
  const { page } = tab;
  await page.getByRole('button', { name: 'Add API key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add API key' });
  const name = dialog.getByLabel('Key name');
  const life = dialog.getByLabel('Time to live', { exact: true });
  await life.fill('1.5d');
  await name.fill('first key');
  // What is no duration is not sent.
  await name.press('Enter');
  await life.fill('');
  await name.press('Enter');
  const refusal = dialog.getByText('already exists');
  await refusal.waitFor();
  expect(await name.evaluate('document.querySelector("[aria-invalid=true]")?.value')).toBe('first key');
  expect(await dialog.getByText('The key could not be added').count()).toBe(0);
  await name.fill('first key 2');
  await refusal.waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expectClean(tab, [409]);
  tab.refusals.length = 0;
});

test('removing it says what stops working, and from then on the key is refused', async () => {
  const { page } = tab;
  await page.getByRole('button', { name: 'Actions on the key first key' }).click();
  await page.getByRole('menuitem', { name: 'Remove', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove API key' });
  await dialog.getByText('Every program that uses this key is refused at once').waitFor();
  // The use that the server has recorded is that of the first command with the key.
  await dialog.getByText(/It was last used (just now|\d+ minutes? ago) from 127\.0\.0\.1\./).waitFor();
  await expectAccessible(tab);
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('The API key first key was removed').waitFor();
  await page.getByText('No API keys yet').waitFor();
  expect(await statusOf(curlLine)).toBe('401');
  await expectAccessible(tab);
  expectClean(tab);
});

test('after a rotation without an overlap the last use of the former secret is still known', async () => {
  const { page } = tab;
  const { body: leaked } = await site.api('POST', '/v1/api-keys', { name: 'leaked', role: 'Viewer' });
  expect(await statusOf(curlLine.replace(key, leaked.key))).toBe('200');
  await site.api('POST', `/v1/api-keys/${leaked.key_id}/rotate`, { overlap: '0s' });
  await page.getByRole('button', { name: 'Reload the API keys' }).click();
  const lastUse = { name: /^Never\s*Former secret: .* from 127\.0\.0\.1/ };
  await page
    .getByRole('row', { name: /leaked/ })
    .getByRole('cell', lastUse)
    .waitFor();
  const menu = page.getByRole('button', { name: 'Actions on the key leaked' });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Show its calls in the audit' }).click();
  await page.getByRole('heading', { name: /^Audit/, level: 1 }).waitFor();
  expect(new URL(page.url()).hash).toBe(`#/configuration/audit?actor_id=${leaked.key_id}`);
  await page.goBack();
  await menu.click();
  await page.getByRole('menuitem', { name: 'Remove', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove API key' });
  await dialog
    .getByText(/Its new secret was never used\. A former secret was last used .* from 127\.0\.0\.1\./)
    .waitFor();
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('The API key leaked was removed').waitFor();
  await page.getByText('No API keys yet').waitFor();
  expectClean(tab);
});

test('expired keys are shown on request', async () => {
  const { page } = tab;
  await site.api('POST', '/v1/api-keys', { name: 'short', role: 'Viewer', time_to_live: '1s' });
  await new Promise((resolve) => setTimeout(resolve, 2100));
  await page.getByRole('button', { name: 'Reload the API keys' }).click();
  await untilIdle(tab);
  await page.getByText('No API keys yet').waitFor();
  await page.getByLabel('Show expired').check();
  await page.getByRole('row', { name: /short/ }).getByText('Expired').waitFor();
  expectClean(tab);
});

test('a key that ends within 14 days has a warning in words', async () => {
  const { page } = tab;
  await site.api('POST', '/v1/api-keys', { name: 'soon', role: 'Viewer', time_to_live: '3d' });
  await page.getByRole('button', { name: 'Reload the API keys' }).click();
  await page.getByRole('row', { name: /soon/ }).getByText('Expires in 2 days').waitFor();
  await expectAccessible(tab);
  expectClean(tab);
});
