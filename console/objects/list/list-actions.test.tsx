import { rowsOf, screen, textOf, user, within } from '../../testing/page.tsx';
import { openSite } from '../../testing/site.tsx';

const site = openSite();
let key = '';

/** Two hosts of the team and one of another; a key of the team. */
beforeAll(async () => {
  for (const [name, team] of [
    ['ours-1', 'shop'],
    ['ours-2', 'shop'],
    ['theirs', 'money'],
  ] as const)
    await site.addNode(name, { custom_labels: { team } });
  ({ key } = await site.write('POST', '/v1/api-keys', { name: 'shop', role: 'Editor', owners: ['shop'] }));
});

const select = (name: string) => user.click(screen.getByRole('checkbox', { name: `Select ${name}` }));
const setLabel = () => screen.getByRole('button', { name: 'Set label' });
const isOff = () => setLabel().getAttribute('aria-disabled') === 'true' || setLabel().hasAttribute('disabled');

test('an action on a selection is off with the reason while one object belongs to another team', async () => {
  await site.at('nodes', { key });
  await select('ours-1');
  expect(isOff()).toBe(false);
  await select('theirs');
  expect(isOff()).toBe(true);
  expect(textOf()).toContain('1 of these 2 nodes is not yours. You write objects of team shop only.');
  await select('ours-1');
  expect(textOf()).toContain('This node belongs to team money. You write objects of team shop only.');
  // The action begins with all objects of the list, of which one is foreign.
  await select('theirs');
  await user.click(setLabel());
  expect(textOf()).toContain('1 of these 3 nodes is not yours.');
  expect(screen.queryByRole('dialog', { name: /^Set label/ })).toBeNull();
});

test('the menu of a team opens its own objects, one click shows all, and an Admin begins with all', async () => {
  await site.at('overview', { key });
  expect(textOf()).toContain('Your team: shop');
  const menu = () => within(screen.getByRole('navigation', { name: 'Side navigation' }));
  await user.click(menu().getByRole('link', { name: 'Nodes' }));
  expect(rowsOf('Nodes')).toHaveLength(2);
  expect(menu().getByRole('link', { name: 'Nodes' }).getAttribute('aria-current')).toBe('page');
  await user.click(screen.getByRole('link', { name: 'All nodes' }));
  expect(rowsOf('Nodes')).toHaveLength(3);
  await user.click(screen.getByRole('link', { name: 'Only those of your team' }));
  expect(rowsOf('Nodes')).toHaveLength(2);
  await site.at('nodes');
  expect(rowsOf('Nodes')).toHaveLength(3);
  expect(screen.queryByRole('link', { name: 'Only those of your team' })).toBeNull();
});
