import { rowsOf, screen, textOf, user } from '../../testing/page.tsx';
import { openSite } from '../../testing/site.tsx';

const site = openSite();

beforeEach(async () => {
  for (const [name, list, shared] of [
    ['Europe', 'nodes', false],
    ['Shared', 'nodes', true],
    ['Other list', 'services', false],
  ] as const)
    await site.write('POST', '/v1/saved-filters', { name, list, parameters: { region: 'eu' }, shared });
});
afterEach(async () => {
  for (const { saved_filter_id: id } of await filters()) await site.api('DELETE', `/v1/saved-filters/${id}`);
});

const filters = async () => (await site.api('GET', '/v1/saved-filters')).body.saved_filters;
const filter = async (name: string) => (await filters()).find((each: { name: string }) => each.name === name);

async function open(key?: string) {
  const network = await site.at('nodes', key === undefined ? {} : { key });
  await user.click(screen.getByRole('button', { name: 'Saved filters' }));
  await user.click(screen.getByRole('menuitem', { name: 'Manage saved filters' }));
  return network;
}

const rows = () => rowsOf('Saved filters').map((row) => textOf(row));
const toggle = (name: string) => screen.getByLabelText(name);

test('the filters of the list are pinned, shared and removed', async () => {
  await open();
  expect(rows().map((row) => /Europe|Shared|Other list/.exec(row)?.[0])).toEqual(['Europe', 'Shared']);
  expect(rows()[0]).toContain('You');
  await user.click(toggle('Pin Europe'));
  expect(await filter('Europe')).toMatchObject({ pinned: true, shared: false });
  expect(toggle('Pin Europe')).toHaveProperty('checked', true);
  await user.click(toggle('Share Europe'));
  expect(await filter('Europe')).toMatchObject({ pinned: true, shared: true });
  expect(toggle('Share Europe')).toHaveProperty('checked', true);
  await user.click(screen.getByRole('button', { name: 'Remove Europe' }));
  expect([await filter('Europe'), rows().length]).toEqual([undefined, 1]);
});

test('a Viewer changes no filter of others', async () => {
  await open(site.inventory.keys.Viewer);
  expect(rows()).toEqual([expect.stringMatching(/^Shared/)]);
  expect(rows()[0]).not.toContain('You');
  expect(toggle('Share Shared')).toHaveProperty('disabled', true);
  expect(screen.queryByRole('button', { name: 'Remove Shared' })).toBeNull();
});

test('a change of a filter that another page has changed is refused with its reason, and the filters are loaded again', async () => {
  await open();
  const { saved_filter_id: id } = await filter('Europe');
  await site.write('PATCH', `/v1/saved-filters/${id}`, { parameters: { region: 'us' } });
  await user.click(screen.getByRole('button', { name: 'Remove Europe' }));
  expect(textOf()).toContain('The saved filter could not be changed');
  expect(await filter('Europe')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Remove Europe' }));
  expect(textOf()).not.toContain('The saved filter could not be changed');
  expect(await filter('Europe')).toBeUndefined();
});
