import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expectAccessible, expectClean, logIn, menuLink, openSite, sharedTab, type Site, type Tab } from './browser.ts';

const run = promisify(execFile);

let site: Site;
let tab: Tab;
let oldKey = '';

beforeAll(async () => {
  site = await openSite();
  oldKey = (await site.api('POST', '/v1/api-keys', { name: 'reconciler', role: 'Viewer' })).body.key;
  tab = sharedTab(await site.open());
  await logIn(tab);
});
afterAll(() => site.close());

const curl = (...args: string[]) => run('curl', ['-ksS', ...args]).then(({ stdout }) => stdout);
const statusOf = (key: string) =>
  curl('-o', '/dev/null', '-w', '%{http_code}', '-H', `Authorization: Bearer ${key}`, `${site.server.base}/v1/caller`);

test('Rotate asks for an overlap, says what becomes of the old text, and shows the new one once; both work', async () => {
  const { page } = tab;
  await menuLink(tab, 'API keys').click();
  await page.getByRole('button', { name: 'Actions on the key reconciler' }).click();
  await page.getByRole('menuitem', { name: 'Rotate', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Rotate API key' });
  const overlap = dialog.getByLabel('Overlap');
  await dialog.getByText(/^The current secret works until /).waitFor();
  await overlap.fill('0s');
  await dialog.getByText('The current secret and all previous secrets expire at once').waitFor();
  await overlap.fill('31d');
  await dialog.getByText('Must be a whole number and a unit').waitFor();
  await expectAccessible(tab);
  await overlap.fill('2h');
  await dialog.getByRole('button', { name: 'Rotate', exact: true }).click();

  const rotated = page.getByRole('dialog', { name: 'API key rotated' });
  await rotated.getByText(/^The previous secret works until /).waitFor();
  const [key = ''] = await rotated.locator('code').allTextContents();
  expect(key).toMatch(/^minv_[0-9A-Za-z]{43}_[0-9a-f]{8}$/);
  expect([await statusOf(oldKey), await statusOf(key)]).toEqual(['200', '200']);
  await expectAccessible(tab);
  await rotated.getByRole('button', { name: 'Close', exact: true }).click();
  await page
    .getByRole('row', { name: /reconciler/ })
    .getByText('Previous secret expires')
    .waitFor();
  expect(await page.content()).not.toContain(key.slice(9, -9));
  expectClean(tab);
});

test('a rate limit is given, shown and changed', async () => {
  const { page } = tab;
  await page.getByRole('button', { name: 'Actions on the key reconciler' }).click();
  await page.getByRole('menuitem', { name: 'Change the rate limit', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Change rate limit' });
  await dialog.getByLabel('Requests per minute').fill('many');
  await dialog.getByRole('button', { name: 'Change', exact: true }).click();
  await dialog.getByText(/Must be a (whole )?number\./).waitFor();
  await expectAccessible(tab);
  await dialog.getByLabel('Requests per minute').fill('600');
  await dialog.getByRole('button', { name: 'Change', exact: true }).click();
  await page
    .getByRole('row', { name: /reconciler/ })
    .getByRole('cell', { name: '600 per minute', exact: true })
    .waitFor();

  await page.getByRole('button', { name: 'Add API key' }).first().click();
  const adding = page.getByRole('dialog', { name: 'Add API key' });
  await adding.getByLabel('Key name').fill('limited');
  await adding.getByLabel('Requests per minute').fill('30');
  await adding.getByRole('button', { name: 'Add', exact: true }).click();
  const created = page.getByRole('dialog', { name: 'API key created' });
  await created.getByRole('button', { name: 'Close', exact: true }).click();
  await page
    .getByRole('row', { name: /limited/ })
    .getByRole('cell', { name: '30 per minute', exact: true })
    .waitFor();
  expectClean(tab);
});

test('a key is disabled and enabled beside its removal; the window says when it was last used, the row how often', async () => {
  const { page } = tab;
  const { key } = (await site.api('POST', '/v1/api-keys', { name: 'paused', role: 'Editor' })).body;
  expect(await statusOf(key)).toBe('200');
  await page.getByRole('button', { name: 'Reload the API keys' }).click();
  const row = page.getByRole('row', { name: /paused/ });
  await row.getByText('1 today, 1 in 7 days').waitFor();
  const choose = async (action: string) => {
    await page.getByRole('button', { name: 'Actions on the key paused' }).click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
    return page.getByRole('dialog', { name: `${action} API key` });
  };
  const disabling = await choose('Disable');
  await disabling
    .getByText(/is refused until you enable the key again.* It was last used .* from 127\.0\.0\.1\./)
    .waitFor();
  await expectAccessible(tab);
  await disabling.getByRole('button', { name: 'Disable', exact: true }).click();
  await page.getByText('The API key paused was disabled.').waitFor();
  await row.getByText('Disabled', { exact: true }).waitFor();
  await expectAccessible(tab);
  expect(await statusOf(key)).toBe('401');

  const enabling = await choose('Enable');
  await enabling.getByRole('button', { name: 'Enable', exact: true }).click();
  await row.getByText('Disabled', { exact: true }).waitFor({ state: 'detached' });
  expect(await statusOf(key)).toBe('200');
  expectClean(tab);
});

test('an enrolment token is shown once, with a command that works; after its use its key exists instead', async () => {
  const { page } = tab;
  await page.locator('a[href="#/configuration/enrolment-tokens"]').last().click();
  await page.getByText('No enrolment tokens').waitFor();
  await expectAccessible(tab);
  await page.getByRole('button', { name: 'Add enrolment token' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add enrolment token' });
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByText('Must not be empty.').waitFor();
  await dialog.getByLabel('Name', { exact: true }).fill('web hosts');
  await dialog.getByLabel('Node name').fill("web's 1");
  await dialog.getByLabel('Allowed addresses').fill('10.0.0.0/8, 192.168.1.0/24');
  const life = dialog.getByLabel('Time to live', { exact: true });
  expect(await life.inputValue()).toBe('1h');
  await life.fill('25h');
  await dialog.getByText('from 1s to 24h').waitFor();
  await dialog.getByRole('button', { name: '24 hours' }).click();
  expect(await life.inputValue()).toBe('24h');
  const keyLife = dialog.getByLabel('Time to live of the key', { exact: true });
  for (const [choice, value] of [
    ['7 days', '7d'],
    ['30 days', '30d'],
    ['1 year', '1y'],
    ['Never', ''],
    ['90 days', '90d'],
  ] as const) {
    await dialog.getByRole('button', { name: choice }).click();
    expect(await keyLife.inputValue()).toBe(value);
  }
  await dialog.getByText('Counts from the enrolment.').waitFor();
  await expectAccessible(tab);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();

  const created = page.getByRole('dialog', { name: 'Enrolment token created' });
  await created.getByText('It is shown only once.').waitFor();
  const [token = '', line = ''] = await created.locator('code').allTextContents();
  expect(token).toMatch(/^minv_enrol_[0-9A-Za-z]{43}_[0-9a-f]{8}$/);
  await expectAccessible(tab);
  await created.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('row', { name: /web hosts/ }).waitFor();
  const { enrolment_tokens: tokens } = (await site.api('GET', '/v1/enrolment-tokens')).body;
  const hours = (Date.parse(tokens[0].expires_at) - Date.parse(tokens[0].created_at)) / 3_600_000;
  expect(Math.round(hours)).toBe(24);
  expect(tokens[0].key_time_to_live).toBe('90d');
  expect(await page.content()).not.toContain(token.slice(15, -9));

  const { stdout } = await run('/bin/sh', ['-c', `${line.replace('ADDRESS', '10.0.0.5')} --silent`]);
  expect(JSON.parse(stdout)).toMatchObject({ node: { node_name: "web's 1" }, api_key: { role: 'Registrar' } });
  await page.getByRole('button', { name: 'Reload the enrolment tokens' }).click();
  await page.getByText('No enrolment tokens').waitFor();
  await menuLink(tab, 'API keys').click();
  await page
    .getByRole('row', { name: /registrar\/web's 1/ })
    .getByText('Registrar', { exact: true })
    .waitFor();
  expectClean(tab);
});

test('a token is removed before it was used', async () => {
  const { page } = tab;
  await site.api('POST', '/v1/enrolment-tokens', { name: 'unused' });
  await page.locator('a[href="#/configuration/enrolment-tokens"]').last().click();
  await page.getByRole('button', { name: 'Remove the token unused' }).click();
  await page.getByText('The enrolment token unused was removed').waitFor();
  await page.getByText('No enrolment tokens').waitFor();
  expectClean(tab);
});
