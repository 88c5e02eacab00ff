import {
  expectAccessible,
  expectClean,
  expectCleanInBothThemes,
  expectNoViolations,
  logIn,
  logInWithKey,
  useSite,
  storedKey,
  type Tab,
  untilFocused,
  untilIdle,
} from './browser.ts';

const OWN = 'a quiet long sentence';

const site = useSite({ OWNER_LABEL: 'owner' });

beforeAll(async () => {
  await site.addNode('db-1', { custom_labels: { owner: 'dba' } });
});

const atLogIn = ({ page }: Tab) => page.getByRole('heading', { name: 'Log in' }).waitFor();

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

test('an Admin adds an Editor with an owner by keyboard, and the link logs the user in once', async () => {
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
  for (const openTab of [tab, other]) expectClean(openTab);
});

test('axe accepts the pages of users at 390 px, light and dark', async () => {
  const link = await invite('narrow', { role: 'Editor', owners: ['a-rather-long-owner-name', 'dba'] });
  const tab = await site.open('/', { viewport: { width: 390, height: 800 } });
  const { page } = tab;
  const look = () => expectCleanInBothThemes(tab);
  await page.goto(link);
  await page.getByRole('heading', { name: 'Accept the invitation' }).waitFor();
  await look();
  await page.goto(`${site.server.base}/#/configuration/users`);
  await atLogIn(tab);
  await logIn(tab);
  for (const [hash, name] of [
    ['configuration/users', /^Users/],
    ['configuration/users/narrow', 'narrow'],
    ['account', 'Your account'],
  ] as const) {
    await page.goto(`${site.server.base}/#/${hash}`);
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await untilIdle(tab);
    await look();
  }
  expectClean(tab);
});

test('axe accepts what a Viewer sees where others may make changes', async () => {
  const { node_id: id } = await site.addNode('db-2', { address: '10.0.0.2' });
  const { key } = await site.write('POST', '/v1/api-keys', { name: 'Viewer', role: 'Viewer' });
  const tab = await site.open('/#/nodes');
  await logInWithKey(tab, key);
  for (const [hash, text] of [
    ['nodes', 'To add, change or remove objects, you need the role Editor.'],
    [`nodes/${id}`, 'To change or remove it, you need the role Editor.'],
    ['removed', 'To restore objects, you need the role Editor.'],
    ['configuration/users', 'This requires the role Admin'],
  ] as const) {
    await tab.page.goto(`${site.server.base}/#/${hash}`);
    await tab.page.getByText(text).waitFor();
    await untilIdle(tab);
    await expectAccessible(tab);
  }
  expectClean(tab);
});
