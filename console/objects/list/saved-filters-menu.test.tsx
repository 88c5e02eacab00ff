import { screen, untilQuiet, user } from '../../testing/page.tsx';
import { openSite } from '../../testing/site.tsx';

const site = openSite();

const button = () => screen.getByRole('button', { name: 'Saved filters' });

async function menuItems() {
  await user.click(button());
  const items = screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
  await user.keyboard('{Escape}');
  return items;
}

test('the menu opens once its filters are loaded, so that no item moves under the pointer', async () => {
  await site.write('POST', '/v1/saved-filters', { name: 'Europe', list: 'nodes', parameters: { region: 'eu' } });
  let release = () => {};
  await site.at('nodes', {
    before: (network) => {
      release = network.hold('GET /v1/saved-filters');
    },
  });
  expect(button().getAttribute('aria-disabled')).toBe('true');
  await user.click(button());
  expect(screen.queryAllByRole('menuitem')).toEqual([]);
  release();
  await untilQuiet();
  expect(await menuItems()).toEqual(['Europe', 'Save the filter', 'Manage saved filters']);
});
