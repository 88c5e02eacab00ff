import { roles } from '../../shared/auth/roles.ts';
import { screen, textOf, within } from '../testing/page.tsx';
import { openSite } from '../testing/site.tsx';

const site = openSite();

/** The items of the menu that name the role that they require, without it. */
function markedItems(): string[] {
  const menu = within(screen.getByRole('navigation', { name: 'Side navigation' }));
  const names = menu
    .getAllByRole('listitem')
    .filter((item) => item.querySelector('li') === null)
    .filter((item) => within(item).queryByRole('img', { name: 'Requires the role' }) !== null)
    .map((item) => textOf(item));
  expect(names.filter((text) => !/(Viewer|Editor|Admin)$/.test(text))).toEqual([]);
  return names.map((text) => text.replace(/ *(Viewer|Editor|Admin)$/, ''));
}

const configuration = ['API keys', 'Enrolment tokens', 'Users', 'Role bindings'];
const all = [
  ...['Overview', 'Nodes', 'Services', 'Agents', 'Clusters', 'Silences', 'Reconcile', 'Removed'],
  ...[...configuration, 'Sessions', 'Audit', 'Quick start'],
];

test('the menu names the role that a page requires, which for keys of hosts and programs every page does', async () => {
  const marked: Record<string, string[]> = {};
  for (const role of roles) {
    await site.at('no/such/page', { key: site.inventory.keys[role] });
    marked[role] = markedItems();
  }
  expect(marked).toEqual({
    Registrar: all,
    Relay: all,
    Gateway: all,
    Viewer: ['Reconcile', ...configuration, 'Audit'],
    Editor: [...configuration, 'Audit'],
    Admin: [],
  });
});
