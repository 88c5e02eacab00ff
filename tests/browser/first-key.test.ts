import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expectAccessible, expectClean, logIn, menuLink, useSite, type Tab } from './browser.ts';

const run = promisify(execFile);

const site = useSite();

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

/** A menu of a key, with its dialog. */
async function choose({ page }: Tab, key: string, action: string) {
  await page.getByRole('button', { name: `Actions on the key ${key}` }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  return dialog;
}

test('a first key is two clicks from the log-in, works as its curl line, and is gone once its dialog closes', async () => {
  const tab = await site.open();
  const { page } = tab;
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  await expectAccessible(tab);
  await page.locator('input[name=password]').fill('wrong');
  await page.getByRole('button', { name: 'Log in' }).click();
  expect(await page.getByRole('alert').textContent()).toBe('Invalid username or password');
  expectClean(tab, [401]);
  tab.refusals.length = 0;
  await logIn(tab);
  await menuLink(tab, 'API keys').click();
  await page.getByText('No API keys yet').waitFor();
  await expectAccessible(tab);
  await page.getByRole('button', { name: 'Add API key' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add API key' });
  await dialog.getByLabel('Key name').fill('first key');
  await expectAccessible(tab);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();

  const created = page.getByRole('dialog', { name: 'API key created' });
  await created.waitFor();
  const [key = '', curlLine = ''] = await created.locator('code').allTextContents();
  expect(await statusOf(curlLine)).toBe('200');
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

  expect(await everythingKept(tab)).toContain(key);
  await created.getByRole('button', { name: 'Close', exact: true }).click();
  const row = page.getByRole('row', { name: /first key/ });
  await row.waitFor();
  const kept = await everythingKept(tab);
  expect(kept).not.toContain(key);
  expect(kept).not.toContain(key.slice(9, -9));
  await page.goBack();
  await row.waitFor({ state: 'detached' });
  await page.goForward();
  await row.waitFor();
  expect(await everythingKept(tab)).not.toContain(key.slice(9, -9));
  await expectAccessible(tab);

  const removing = await choose(tab, 'first key', 'Remove');
  await expectAccessible(tab);
  await removing.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('No API keys yet').waitFor();
  expect(await statusOf(curlLine)).toBe('401');
  expectClean(tab);
});

test('the dialogs of keys and enrolment tokens are accessible, and the command of a token enrols a node', async () => {
  await site.write('POST', '/v1/api-keys', { name: 'soon', role: 'Viewer', time_to_live: '3d' });
  const tab = await site.at('configuration/api-keys');
  const { page } = tab;
  const closed = () => page.getByRole('dialog').waitFor({ state: 'detached' });
  const rotating = await choose(tab, 'soon', 'Rotate');
  await rotating.getByLabel('Overlap').fill('31d');
  await rotating.getByText('Must be a whole number and a unit').waitFor();
  await expectAccessible(tab);
  await rotating.getByRole('button', { name: 'Cancel' }).click();
  await closed();
  await choose(tab, 'soon', 'Change the rate limit');
  await expectAccessible(tab);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await closed();
  const disabling = await choose(tab, 'soon', 'Disable');
  await expectAccessible(tab);
  await disabling.getByRole('button', { name: 'Disable', exact: true }).click();
  await page.getByRole('row', { name: /soon/ }).getByText('Disabled', { exact: true }).waitFor();
  await expectAccessible(tab);

  await menuLink(tab, 'Enrolment tokens').click();
  await page.getByText('No enrolment tokens').waitFor();
  await expectAccessible(tab);
  await page.getByRole('button', { name: 'Add enrolment token' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add enrolment token' });
  await dialog.getByLabel('Name', { exact: true }).fill('web hosts');
  await dialog.getByLabel('Node name').fill("web's 1");
  await dialog.getByLabel('Allowed addresses').fill('10.0.0.0/8, 192.168.1.0/24');
  await expectAccessible(tab);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  const created = page.getByRole('dialog', { name: 'Enrolment token created' });
  await created.waitFor();
  await expectAccessible(tab);
  const [, line = ''] = await created.locator('code').allTextContents();
  const { stdout } = await run('/bin/sh', ['-c', `${line.replace('ADDRESS', '10.0.0.5')} --silent`]);
  expect(JSON.parse(stdout)).toMatchObject({ node: { node_name: "web's 1" }, api_key: { role: 'Registrar' } });
  await created.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('button', { name: 'Reload the enrolment tokens' }).click();
  await page.getByText('No enrolment tokens').waitFor();
  await menuLink(tab, 'API keys').click();
  await page
    .getByRole('row', { name: /registrar\/web's 1/ })
    .getByText('Registrar', { exact: true })
    .waitFor();
  expectClean(tab);
});
