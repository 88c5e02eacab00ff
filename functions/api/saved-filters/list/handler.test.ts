import { logIn } from '../../../../tests/support/log-in.ts';
import { requestsWith } from '../../../../tests/support/teams.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const add = (name: string, shared: boolean, as: 'Editor' | 'Admin') =>
  inventory.request('POST', '/v1/saved-filters', {
    body: { name, list: 'services', parameters: { cluster: 'orders' }, shared },
    as,
  });

test('lists shared filters and those of the caller by name', async () => {
  await add('b', true, 'Admin');
  await add('c', false, 'Editor');
  await add('a', true, 'Editor');
  await add('secret', false, 'Admin');
  const { body } = await inventory.request('GET', '/v1/saved-filters', { as: 'Editor' });
  expect(body.saved_filters.map(({ name, own, shared }: any) => [name, own, shared])).toEqual([
    ['a', true, true],
    ['b', false, true],
    ['c', true, false],
  ]);
});

test('a user has the same filters in every session', async () => {
  const [first, second] = [await logIn(inventory, {}), await logIn(inventory, {})].map(({ body }) =>
    requestsWith(inventory, body.key),
  );
  const body = { name: 'of a person', list: 'nodes', parameters: { az: 'a' } };
  expect((await first!('POST', '/v1/saved-filters', body)).status).toBe(201);
  const { body: listed } = await second!('GET', '/v1/saved-filters');
  expect(listed.saved_filters).toContainEqual(expect.objectContaining({ ...body, own: true }));
});
