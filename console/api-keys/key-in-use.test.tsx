import { screen, textOf, user, within } from '../testing/page.tsx';
import { openSite } from '../testing/site.tsx';

const site = openSite();

test('the removal of another key does not log out', async () => {
  await site.write('POST', '/v1/api-keys', { name: 'another', role: 'Viewer' });
  await site.at('configuration/api-keys', { key: site.inventory.keys.Admin });
  await user.click(screen.getByRole('button', { name: 'Actions on the key another' }));
  await user.click(screen.getByRole('menuitem', { name: 'Remove' }));
  expect(textOf(screen.getByRole('dialog'))).not.toContain('will be logged out');
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }));
  expect(textOf()).toContain('The API key another was removed');
  expect(screen.getByRole('heading', { name: /^API keys/, level: 1 })).toBeDefined();
});

test('a warning precedes the removal of the key in use, and a log-out follows it', async () => {
  await site.at('configuration/api-keys', { key: site.inventory.keys.Admin });
  await user.click(screen.getByRole('button', { name: 'Actions on the key test Admin' }));
  await user.click(screen.getByRole('menuitem', { name: 'Disable' }));
  expect(textOf(screen.getByRole('dialog'))).not.toContain('will be logged out');
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel' }));
  await user.click(screen.getByRole('button', { name: 'Actions on the key test Admin' }));
  await user.click(screen.getByRole('menuitem', { name: 'Remove' }));
  expect(textOf(screen.getByRole('dialog'))).toContain('will be logged out');
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }));
  expect(textOf()).toContain('The API key that you logged in with was removed.');
  expect(screen.getByRole('heading', { name: 'Log in' })).toBeDefined();
});
