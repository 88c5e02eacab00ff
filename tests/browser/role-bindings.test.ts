import type { Locator } from 'playwright-core';
import {
  expectAccessible,
  expectClean,
  expectCleanInBothThemes,
  expectNoViolations,
  useSite,
  untilFocused,
} from './browser.ts';
import { chooseItem } from './keys.ts';

/** Nothing asks these providers: bindings need their names and kinds only. */
const providers = [
  { name: 'github', kind: 'jwt', issuer: 'https://token.actions.githubusercontent.com', audience: 'inventory' },
  { name: 'cluster', kind: 'jwt', issuer: 'https://cluster.example.com', audience: 'inventory' },
];

const site = useSite({ IDENTITY_PROVIDERS: JSON.stringify(providers) });

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

test('axe accepts the page and its windows at 390 px, light and dark', async () => {
  await bind('narrow', { description: 'A rather long purpose of a binding with a-long-word-without-spaces' });
  const tab = await site.at('configuration/role-bindings', { viewport: { width: 390, height: 800 } });
  const { page } = tab;
  await page.getByRole('row', { name: /narrow/ }).waitFor();
  const look = () => expectCleanInBothThemes(tab);
  await look();
  await page.getByRole('button', { name: 'Add role binding' }).click();
  const adding = page.getByRole('dialog', { name: 'Add role binding' });
  await adding.waitFor();
  await look();
  await adding.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Preview a role' }).click();
  const preview = page.getByRole('dialog', { name: 'Preview a role' });
  await preview.getByRole('combobox', { name: 'Identity provider' }).fill('github');
  await page.keyboard.press('Escape');
  await preview.getByLabel('Claims of the identity').fill('{"repository_id": "74129", "environment": "production"}');
  await preview.getByRole('button', { name: 'Preview', exact: true }).click();
  await preview.getByText('Role Editor, only shop').waitFor();
  await look();
  expectClean(tab);
});
