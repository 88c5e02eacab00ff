import {
  expectAccessible,
  expectClean,
  expectNoSidewaysScroll,
  expectNoViolations,
  logIn,
  logInWithKey,
  openSite,
  type Site,
  type Tab,
  untilValue,
} from './browser.ts';

let site: Site;

beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

/** A program asks, as `inventory login --device` does. */
const ask = (): Promise<any> =>
  site.write('POST', '/v1/device-authorizations', { client_name: 'inventory on build-7' });

const poll = ({ device_code }: { device_code: string }) =>
  site.api('POST', '/v1/logins', { method: 'device', device_code });

const heading = ({ page }: Tab) => page.getByRole('heading', { name: 'Log in on a device' });

test('the keyboard alone: a person types the code, reads who asks, and gives a lower role', async () => {
  const codes = await ask();
  const tab = await site.at('device');
  const { page } = tab;
  const { keyboard } = page;
  await heading(tab).waitFor();
  await expectNoViolations(tab);
  await page.getByLabel('Code', { exact: true }).focus();
  await keyboard.type('ABC');
  await keyboard.press('Enter');
  await page.getByText('Must be the 8 letters that the program shows.').waitFor();
  await expectAccessible(tab);
  await keyboard.press('ControlOrMeta+A');
  await keyboard.type(codes.user_code.toLowerCase());
  await keyboard.press('Enter');
  await page.getByText('inventory on build-7').waitFor();
  await page.getByText('127.0.0.1').waitFor();
  await expectNoViolations(tab);
  await page.getByRole('button', { name: /^Role of the program/ }).focus();
  await keyboard.press('Enter');
  await page.getByRole('option', { name: /^Viewer/ }).waitFor();
  await keyboard.press('ArrowUp');
  await keyboard.press('ArrowUp');
  await keyboard.press('Enter');
  await page.getByRole('button', { name: 'Approve' }).focus();
  await keyboard.press('Enter');
  await page.getByText('Approved. The program continues within some seconds.').waitFor();
  await expectNoViolations(tab);
  const { status, body } = await poll(codes);
  expect([status, body.name, body.role]).toEqual([201, 'admin', 'Viewer']);
  await page.goto(`${site.server.base}/#/account`);
  await page.getByText('Device inventory on build-7').waitFor();
  expectClean(tab);
});

test('a link shows the log-in first, then its code, which the address no longer has; a denied program gets nothing', async () => {
  const codes = await ask();
  const tab = await site.open(codes.verification_uri_complete);
  const { page } = tab;
  await logIn(tab);
  await heading(tab).waitFor();
  await untilValue(page.getByLabel('Code', { exact: true }), codes.user_code);
  expect(page.url()).not.toContain(codes.user_code);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Approve only what you have started yourself').waitFor();
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByText('Denied. The program gets no access.').waitFor();
  const { status, body } = await poll(codes);
  expect([status, body.details[0].reason]).toEqual([400, 'access_denied']);
  expectClean(tab);
});

test('a code that nobody asked for is not found, and a person with an API key reads why it cannot approve', async () => {
  const codes = await ask();
  const tab = await site.at('device');
  await tab.page.getByLabel('Code', { exact: true }).fill('BCDF-GHJK');
  await tab.page.getByRole('button', { name: 'Continue' }).click();
  await tab.page.getByText('No program waits with this code.').waitFor();
  expectClean(tab, [400]);

  const { key } = await site.write('POST', '/v1/api-keys', { name: 'of a program', role: 'Viewer' });
  const other = await site.open('/#/device');
  await logInWithKey(other, key);
  await other.page.getByText('Log in as a person to approve a program.').waitFor();
  expectClean(other);
  expect((await poll(codes)).body.details[0].reason).toBe('authorization_pending');
});

test.each(['light', 'dark'] as const)('%s: axe accepts both steps at 390 px', async (colorScheme) => {
  const codes = await ask();
  const tab = await site.at('device', { colorScheme, viewport: { width: 390, height: 800 } });
  const { page } = tab;
  await page.getByLabel('Code', { exact: true }).fill(codes.user_code);
  await expectNoViolations(tab);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Approve only what you have started yourself').waitFor();
  await expectNoViolations(tab);
  await expectNoSidewaysScroll(tab);
  expectClean(tab);
});
