import {
  expectAccessible,
  expectClean,
  expectNoSidewaysScroll,
  expectNoViolations,
  useSite,
  type Tab,
} from './browser.ts';

const site = useSite();

/** A program asks, as `inventory login --device` does. */
const ask = (): Promise<any> =>
  site.write('POST', '/v1/device-authorizations', { client_name: 'inventory on build-7' });

const poll = ({ device_code }: { device_code: string }) =>
  site.api('POST', '/v1/logins', { method: 'device', device_code });

const heading = ({ page }: Tab) => page.getByRole('heading', { name: 'Log in on a device' });

test('with the keyboard alone a person types the code, sees the client, and grants a lower role', async () => {
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

test('axe accepts both steps at 390 px in the dark', async () => {
  const codes = await ask();
  const tab = await site.at('device', { colorScheme: 'dark', viewport: { width: 390, height: 800 } });
  const { page } = tab;
  await page.getByLabel('Code', { exact: true }).fill(codes.user_code);
  await expectNoViolations(tab);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Approve only what you have started yourself').waitFor();
  await expectNoViolations(tab);
  await expectNoSidewaysScroll(tab);
  expectClean(tab);
});
