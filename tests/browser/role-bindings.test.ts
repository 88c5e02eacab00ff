import type { Locator } from 'playwright-core';
import {
  expectAccessible,
  expectClean,
  expectNoSidewaysScroll,
  expectNoViolations,
  logInWithKey,
  openSite,
  type Site,
  untilFocused,
} from './browser.ts';
import { chooseItem } from './keys.ts';

/** Nothing asks these providers: bindings need their names and kinds only. */
const providers = [
  { name: 'github', kind: 'jwt', issuer: 'https://token.actions.githubusercontent.com', audience: 'inventory' },
  { name: 'cluster', kind: 'jwt', issuer: 'https://cluster.example.com', audience: 'inventory' },
];

let site: Site;

beforeAll(async () => {
  site = await openSite({ IDENTITY_PROVIDERS: JSON.stringify(providers) });
});
afterAll(() => site.close());

const bind = (name: string, fields: object = {}) =>
  site.write('POST', '/v1/role-bindings', {
    ...{ name, provider: 'github', claims: { repository_id: ['74129'], environment: ['production'] } },
    ...{ role: 'Editor', owners: ['shop'], ...fields },
  });

const getBinding = async (name: string) => (await site.api('GET', `/v1/role-bindings/${name}`)).body;

/** The error below a field. */
const errorAt = (dialog: Locator, text: RegExp) => dialog.locator('[id$="-error"]', { hasText: text }).first();

test('the keyboard alone adds a binding, and each refusal is at its field', async () => {
  const tab = await site.at('configuration/role-bindings');
  const { page } = tab;
  const { keyboard } = page;
  await page.getByText('No role bindings yet').waitFor();
  await expectNoViolations(tab);
  await page.getByRole('button', { name: 'Add role binding' }).first().focus();
  await keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add role binding' });
  await untilFocused(tab, dialog.getByLabel('Name', { exact: true }));
  await keyboard.type('Deployments');
  await keyboard.press('Tab');
  await keyboard.type('gitlab');
  await keyboard.press('Escape');
  await dialog.getByPlaceholder('groups').first().focus();
  await keyboard.type('ref');
  await dialog.getByRole('button', { name: 'Add', exact: true }).focus();
  await keyboard.press('Enter');
  await errorAt(dialog, /lower-case letter or digit/).waitFor();
  await expectAccessible(tab);
  await dialog.getByLabel('Name', { exact: true }).focus();
  await keyboard.press('ControlOrMeta+A');
  await keyboard.type('deployments');
  await dialog.getByPlaceholder('dba', { exact: true }).first().focus();
  await keyboard.type('refs/heads/main');
  await keyboard.press('Enter');
  await errorAt(dialog, /Unknown provider\. Providers in the settings: github, cluster/).waitFor();
  await dialog.getByRole('combobox', { name: 'Identity provider' }).focus();
  await keyboard.press('ControlOrMeta+A');
  await keyboard.type('github');
  await keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Add', exact: true }).focus();
  await keyboard.press('Enter');
  await errorAt(dialog, /bind one of repository_id/).waitFor();
  await expectAccessible(tab);
  await dialog.getByRole('button', { name: 'Add claim' }).focus();
  await keyboard.press('Enter');
  await dialog.getByPlaceholder('groups').nth(1).focus();
  await keyboard.type('repository_id');
  await dialog.getByPlaceholder('dba', { exact: true }).nth(1).focus();
  await keyboard.type('74129');
  await keyboard.press('Enter');
  await page.getByRole('row', { name: /deployments.*github.*Viewer/ }).waitFor();
  expect(await getBinding('deployments')).toMatchObject({
    claims: { ref: ['refs/heads/main'], repository_id: ['74129'] },
    role: 'Viewer',
  });
  await page.getByRole('button', { name: 'Actions on deployments' }).focus();
  await keyboard.press('Enter');
  await chooseItem(tab, page.getByRole('menuitem', { name: 'Remove' }));
  await page.getByRole('dialog', { name: 'Remove role binding' }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).focus();
  await keyboard.press('Enter');
  await page.getByText('The role binding deployments was removed.').waitFor();
  await page.getByText('No role bindings yet').waitFor();
  expectClean(tab, [400, 400]);
});

test('a change clears what it leaves out, and is refused after the change of another Admin', async () => {
  await bind('changing', { description: 'Before' });
  const tab = await site.at('configuration/role-bindings');
  const { page } = tab;
  const open = async () => {
    await page.getByRole('button', { name: 'Actions on changing' }).click();
    await page.getByRole('menuitem', { name: 'Change' }).click();
    return page.getByRole('dialog', { name: 'Change role binding' });
  };
  const dialog = await open();
  await dialog.getByLabel('Purpose').fill('');
  await dialog.getByRole('button', { name: /^Role/ }).click();
  await page.getByRole('option', { name: /^Admin/ }).click();
  await expectAccessible(tab);
  await dialog.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByText('The role binding changing was changed.').waitFor();
  const changed = await getBinding('changing');
  expect(changed).toMatchObject({ role: 'Admin', revision: 2 });
  expect(Object.keys(changed)).not.toEqual(expect.arrayContaining(['owners']));
  expect(changed.description).toBeUndefined();

  // The next change is of the revision that the list has.
  await page.getByRole('row', { name: /changing.*Admin/ }).waitFor();
  const late = await open();
  await site.write('PATCH', '/v1/role-bindings/changing', { role: 'Viewer' });
  await late.getByLabel('Purpose').fill('Too late');
  await late.getByRole('button', { name: 'Change', exact: true }).click();
  await late.getByText('The role binding could not be changed').waitFor();
  expect(await getBinding('changing')).toMatchObject({ role: 'Viewer', revision: 3 });
  await site.write('DELETE', '/v1/role-bindings/changing');
  expectClean(tab, [412]);
});

test('the preview names the role, its owners and bindings, and the claims that others miss', async () => {
  await bind('shop-deployments');
  await bind('releases', {
    claims: { repository_id: ['74129'], ref: ['refs/tags/v1'] },
    role: 'Admin',
    owners: undefined,
  });
  await bind('readers', { claims: { repository_owner_id: ['65'] }, role: 'Viewer', owners: undefined });
  const tab = await site.at('configuration/role-bindings');
  const { page } = tab;
  await page.getByRole('row', { name: /readers/ }).waitFor();
  await page.getByRole('button', { name: 'Preview a role' }).click();
  const dialog = page.getByRole('dialog', { name: 'Preview a role' });
  const claims = dialog.getByLabel('Claims of the identity');
  await claims.fill('eyJhbGciOiJIUzI1NiJ9');
  await dialog.getByRole('button', { name: 'Preview', exact: true }).click();
  await errorAt(dialog, /Must be a JSON object/).waitFor();
  await dialog.getByRole('button', { name: /^Example/ }).click();
  await page.getByRole('option', { name: 'GitHub Actions' }).click();
  await dialog.getByRole('button', { name: 'Preview', exact: true }).click();
  await dialog.getByText('Role Editor, only shop').waitFor();
  await dialog.getByText('shop-deployments matches and gives the role Editor.').waitFor();
  await dialog.getByText('readers matches, but its role Viewer is weaker.').waitFor();
  await dialog.getByText('releases does not match: the claims lack ref, or have other values.').waitFor();
  await expectAccessible(tab);
  await claims.fill('{"repository_id": "74130"}');
  await dialog.getByText('Role Editor, only shop').waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Preview', exact: true }).click();
  await dialog.getByText('No access').waitFor();
  expectClean(tab);
});

test('an Editor reads that role bindings require the role Admin', async () => {
  const { key } = await site.write('POST', '/v1/api-keys', { name: 'editor', role: 'Editor' });
  const tab = await site.open('/#/configuration/role-bindings');
  await logInWithKey(tab, key);
  await tab.page.getByText('This requires the role Admin').waitFor();
  expectClean(tab);
});

test.each(['light', 'dark'] as const)('%s: axe accepts the page and its windows at 390 px', async (colorScheme) => {
  await bind(`narrow-${colorScheme}`, {
    description: 'A rather long purpose of a binding with a-long-word-without-spaces',
  });
  const tab = await site.at('configuration/role-bindings', { colorScheme, viewport: { width: 390, height: 800 } });
  const { page } = tab;
  await page.getByRole('row', { name: new RegExp(`narrow-${colorScheme}`) }).waitFor();
  await expectNoViolations(tab);
  await expectNoSidewaysScroll(tab);
  await page.getByRole('button', { name: 'Add role binding' }).click();
  await page.getByRole('dialog', { name: 'Add role binding' }).waitFor();
  await expectAccessible(tab);
  await expectNoSidewaysScroll(tab);
  expectClean(tab);
});
