import { goTo, screen, user, within } from '../../testing/page.tsx';
import { openSite } from '../../testing/site.tsx';

const site = openSite();

beforeAll(async () => {
  for (const [address, region] of Object.entries({ '10.0.0.1': 'eu', '10.0.0.2': 'eu', '10.0.0.3': 'us' }))
    await site.addNode(address, { region, address });
});
afterEach(async () => {
  for (const { saved_filter_id: id } of await filters()) await site.api('DELETE', `/v1/saved-filters/${id}`);
});

const filters = async () => (await site.api('GET', '/v1/saved-filters')).body.saved_filters;

const button = () => screen.getByRole('button', { name: 'Saved filters' });

async function choose(name: string) {
  await user.click(button());
  await user.click(screen.getByRole('menuitem', { name }));
}

async function save(name: string, ...boxes: string[]) {
  await choose('Save the filter');
  const dialog = within(screen.getByRole('dialog', { name: 'Save the filter' }));
  await user.type(dialog.getByLabelText('Name'), name);
  for (const box of boxes) await user.click(dialog.getByLabelText(box));
  await user.type(dialog.getByLabelText('Name'), '{Enter}');
  expect(screen.queryByRole('dialog', { name: 'Save the filter' })).toBeNull();
}

const matches = (text: string) => expect(screen.getAllByText(text).length).toBeGreaterThan(0);

test('a filter is saved with its order and groups, opened in another browser, replaced and removed', async () => {
  await site.at('nodes?region=eu&sort=-name&group_by=state&page=1');
  matches('2 matches');
  await save('Europe');
  await site.at('nodes');
  await choose('Europe');
  matches('2 matches');
  expect(Object.fromEntries(new URLSearchParams(location.hash.split('?')[1]))).toEqual({
    region: 'eu',
    sort: '-name',
    group_by: 'state',
  });
  await goTo('nodes?region=us');
  matches('1 match');
  await save('Europe');
  expect(await filters()).toMatchObject([{ name: 'Europe', parameters: { region: 'us' }, revision: 2 }]);
  await choose('Manage saved filters');
  await user.click(screen.getByRole('button', { name: 'Remove Europe' }));
  expect(screen.getByText('No saved filters')).toBeDefined();
  expect(await filters()).toEqual([]);
});

test('the list of clusters has saved filters, and a pin of it counts clusters', async () => {
  for (const cluster of ['one', 'two']) {
    const service = { service_type: 'mysql', service_name: cluster, cluster, address: '10.0.0.1', port: 3306 };
    await site.write('POST', '/v1/services', { ...service, node_ids: [] });
  }
  await site.at('clusters?type=mysql');
  await save('MySQL', 'Pin it to my menu and my overview');
  await user.click(screen.getByRole('link', { name: 'Overview' }));
  expect(within(screen.getByRole('list', { name: 'Pinned filters' })).getByText('2 clusters')).toBeDefined();
});

test('a Viewer shares no filter; only a filter of this name that is shared alike is replaced', async () => {
  await site.at('nodes?region=us', { key: site.inventory.keys.Viewer });
  await choose('Save the filter');
  const dialog = within(screen.getByRole('dialog', { name: 'Save the filter' }));
  expect(dialog.getByLabelText('Share it with everybody')).toHaveProperty('disabled', true);
  expect(dialog.getByText('Requires the role Editor.')).toBeDefined();
  await site.at('nodes?region=us');
  await save('Shared', 'Share it with everybody');
  expect(await filters()).toMatchObject([{ name: 'Shared', shared: true, pinned: false }]);
  await choose('Save the filter');
  const again = within(screen.getByRole('dialog', { name: 'Save the filter' }));
  await user.type(again.getByLabelText('Name'), ' Shared ');
  expect(again.queryByRole('button', { name: 'Replace' })).toBeNull();
  await user.click(again.getByLabelText('Share it with everybody'));
  expect(again.queryByRole('button', { name: 'Replace' })).not.toBeNull();
});
