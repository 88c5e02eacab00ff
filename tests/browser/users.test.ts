import { eventually } from '../end-to-end/processes.ts';
import {
  expectAccessible,
  expectClean,
  expectNoSidewaysScroll,
  expectNoViolations,
  logIn,
  openSite,
  type Site,
  storedKey,
  type Tab,
  untilFocused,
  untilIdle,
} from './browser.ts';

const OWN = 'a quiet long sentence';

let site: Site;

beforeAll(async () => {
  site = await openSite({ OWNER_LABEL: 'owner' });
  await site.addNode('db-1', { custom_labels: { owner: 'dba' } });
});
afterAll(() => site.close());

const atLogIn = ({ page }: Tab) => page.getByRole('heading', { name: 'Log in' }).waitFor();

/** Logs in as a user by the form. */
async function logInAs({ page }: Tab, user: string, password: string): Promise<void> {
  await page.getByLabel('User', { exact: true }).fill(user);
  await page.locator('input[name=password]').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** The user sets OWN by the link of an invitation. */
async function accept(tab: Tab, link: string): Promise<void> {
  const { page } = tab;
  await page.goto(link);
  await page.getByRole('heading', { name: 'Accept the invitation' }).waitFor();
  await page.getByLabel('New password', { exact: true }).fill(OWN);
  await page.getByLabel('New password again').fill(OWN);
  await page.getByRole('button', { name: 'Set the password and log in' }).click();
  await page.locator('#top').waitFor();
}

async function invite(user_name: string, fields: object): Promise<string> {
  const { invitation } = await site.write('POST', '/v1/users', { user_name, ...fields });
  return `${site.server.base}/#/invitation?user=${user_name}&invitation=${invitation}`;
}

const menu = async ({ page }: Tab, user: string, item: string) => {
  await page.getByRole('button', { name: `Actions on ${user}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

test('an Admin adds an Editor with an owner by the keyboard, and the link logs the user in once', async () => {
  const tab = await site.at('configuration/users');
  const { page } = tab;
  await page.getByText('No users yet').waitFor();
  await expectNoViolations(tab);
  await page.getByRole('button', { name: 'Add user' }).first().focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add user' });
  await untilFocused(tab, dialog.getByLabel('User name'));
  await page.keyboard.type('maria.lopez');
  await dialog.getByRole('button', { name: /^Role/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: /^Editor/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await dialog.getByText('Values of the label owner.').waitFor();
  await dialog.getByRole('button', { name: /No limit/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: 'dba' }).click();
  await page.getByLabel('Find or type an owner').fill('shop');
  await page.locator('[role=option]', { hasText: 'shop' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expectAccessible(tab);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  const created = page.getByRole('dialog', { name: 'User invited' });
  await created.locator('code').first().waitFor();
  const [link = ''] = await created.locator('code').allTextContents();
  expect(link).toMatch(new RegExp(`^${site.server.base}/#/invitation\\?user=maria.lopez&invitation=minv_invite_`));
  await expectAccessible(tab);
  await created.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('row', { name: /maria\.lopez.*Editor.*dba, shop.*Invited/ }).waitFor();
  expect(await page.content()).not.toContain('minv_invite_');

  const other = await site.open();
  await accept(other, link);
  expect(other.page.url()).not.toContain('minv_invite_');
  await other.page.goBack();
  expect(other.page.url()).not.toContain('minv_invite_');
  const { body } = await site.api('GET', '/v1/caller', undefined, await storedKey(other));
  expect(body).toMatchObject({ user_id: 'maria.lopez', role: 'Editor', owners: ['dba', 'shop'] });

  const again = await site.open();
  await again.page.goto(link);
  await again.page.getByLabel('New password', { exact: true }).fill(OWN);
  await again.page.getByLabel('New password again').fill('another sentence');
  await again.page.getByRole('button', { name: 'Set the password' }).click();
  await again.page.getByText('The two passwords differ.').waitFor();
  await expectAccessible(again);
  await again.page.getByLabel('New password again').fill(OWN);
  await again.page.getByRole('button', { name: 'Set the password' }).click();
  await again.page.getByRole('alert').waitFor();
  expectClean(again, [401]);
  for (const one of [tab, other]) expectClean(one);
});

test('a user sees the own rights with their reason, changes the password, and ends the other session', async () => {
  const link = await invite('paul', { role: 'Editor', owners: ['dba'] });
  const first = await site.open();
  await accept(first, link);
  const tab = await site.open('/#/account');
  await logInAs(tab, 'paul', 'wrong password');
  await tab.page.locator('.login-notice-error').waitFor();
  await logInAs(tab, 'paul', OWN);
  const { page } = tab;
  await page.getByText('An Admin gave this role to the user paul.').waitFor();
  await page.getByText('Only dba').waitFor();
  const sessions = page.getByRole('table', { name: 'Your sessions' });
  await sessions.getByRole('row').nth(2).waitFor();
  await expectNoViolations(tab);
  await page.getByLabel('Present password').fill(OWN);
  await page.getByLabel('New password', { exact: true }).fill('short');
  await page.getByLabel('New password again').fill('short');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Must have at least 12 characters.').waitFor();
  await page.getByLabel('New password', { exact: true }).fill('another long sentence');
  await page.getByLabel('New password again').fill('another long sentence');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Your password was changed.').waitFor();
  await eventually(async () => (await page.locator('main tbody tr').count()) === 1);
  const { body } = await site.api('GET', '/v1/sessions?user_id=paul');
  expect(body.sessions).toHaveLength(1);
  expectClean(tab, [401]);
});

test('the page of a user ends its sessions, disables it, invites it again and removes it', async () => {
  const link = await invite('zoe', { role: 'Viewer' });
  const user = await site.open();
  await accept(user, link);
  const tab = await site.at('configuration/users');
  const { page } = tab;
  await page.getByRole('link', { name: 'zoe' }).click();
  await page.getByRole('heading', { name: 'zoe', level: 1 }).waitFor();
  const sessions = page.getByRole('table', { name: 'Sessions' });
  await sessions.getByRole('button', { name: /^End the session of zoe/ }).click();
  await page.getByRole('dialog', { name: 'End session' }).getByRole('button', { name: 'End session' }).click();
  await page.getByText('No active sessions').waitFor();
  await expectNoViolations(tab);
  await menu(tab, 'zoe', 'Change role');
  const change = page.getByRole('dialog', { name: 'Change user' });
  await change.getByRole('button', { name: /^Role/ }).click();
  await page.getByRole('option', { name: /^Admin/ }).click();
  await change.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByText('The rights of zoe were changed.').waitFor();
  await menu(tab, 'zoe', 'Disable');
  await page.getByRole('dialog', { name: 'Disable user' }).getByRole('button', { name: 'Disable' }).click();
  await page.getByText('Disabled', { exact: true }).waitFor();
  expect((await site.api('GET', '/v1/users')).body.users.find((one: any) => one.user_id === 'zoe')).toMatchObject({
    role: 'Admin',
    state: 'disabled',
  });
  await menu(tab, 'zoe', 'Invite again');
  await page.getByRole('dialog', { name: 'Invite again' }).getByRole('button', { name: 'Invite', exact: true }).click();
  const invited = page.getByRole('dialog', { name: 'User invited' });
  await invited.getByText(/#\/invitation\?user=zoe/).waitFor();
  await invited.getByRole('button', { name: 'Close', exact: true }).click();
  await menu(tab, 'zoe', 'Remove');
  await page.getByRole('dialog', { name: 'Remove user' }).getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'zoe' }).waitFor({ state: 'detached' });
  expectClean(tab);
});

test('a Viewer reads that users require the role Admin', async () => {
  const link = await invite('viewer', { role: 'Viewer' });
  const tab = await site.open();
  await accept(tab, link);
  await tab.page.goto(`${site.server.base}/#/configuration/users`);
  await tab.page.getByText('This requires the role Admin').waitFor();
  expectClean(tab);
});

test.each(['light', 'dark'] as const)('%s: axe accepts the pages of users at 390 px', async (colorScheme) => {
  const link = await invite(`narrow-${colorScheme}`, { role: 'Editor', owners: ['a-rather-long-owner-name', 'dba'] });
  const tab = await site.open('/', { colorScheme, viewport: { width: 390, height: 800 } });
  const { page } = tab;
  await page.goto(link);
  await page.getByRole('heading', { name: 'Accept the invitation' }).waitFor();
  await expectNoViolations(tab);
  await expectNoSidewaysScroll(tab);
  await page.goto(`${site.server.base}/#/configuration/users`);
  await atLogIn(tab);
  await logIn(tab);
  for (const [hash, name] of [
    ['configuration/users', /^Users/],
    [`configuration/users/narrow-${colorScheme}`, `narrow-${colorScheme}`],
    ['account', 'Your account'],
  ] as const) {
    await page.goto(`${site.server.base}/#/${hash}`);
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await untilIdle(tab);
    await expectNoViolations(tab);
    await expectNoSidewaysScroll(tab);
  }
  expectClean(tab);
});

test('the forms of keys and enrolment tokens give owners', async () => {
  const tab = await site.at('configuration/api-keys');
  const { page } = tab;
  await page.getByRole('button', { name: 'Add API key' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add API key' });
  await dialog.getByLabel('Key name').fill('team key');
  await dialog.getByRole('button', { name: /No limit/ }).click();
  await page.getByRole('option', { name: 'dba' }).click();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await page
    .getByRole('dialog', { name: 'API key created' })
    .getByRole('button', { name: 'Close', exact: true })
    .click();
  await page.getByRole('row', { name: /team key.*Only dba/ }).waitFor();
  await page.getByRole('link', { name: 'Enrolment tokens' }).click();
  await page.getByRole('button', { name: 'Add enrolment token' }).first().click();
  const adding = page.getByRole('dialog', { name: 'Add enrolment token' });
  await adding.getByLabel('Name', { exact: true }).fill('host of a team');
  await adding.getByRole('button', { name: /No limit/ }).click();
  await page.getByRole('option', { name: 'dba' }).click();
  await page.keyboard.press('Escape');
  await expectAccessible(tab);
  await adding.getByRole('button', { name: 'Add', exact: true }).click();
  await page
    .getByRole('dialog', { name: 'Enrolment token created' })
    .getByRole('button', { name: 'Close', exact: true })
    .click();
  await page.getByRole('row', { name: /host of a team.*Owner dba/ }).waitFor();
  expectClean(tab);
});
