import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

type Role = 'Viewer' | 'Editor' | 'Admin';

async function add(as: Role, shared = false) {
  const body = { name: `${as} ${shared}`, list: 'agents', parameters: { status: 'waiting' }, shared };
  return (await inventory.request('POST', '/v1/saved-filters', { body, as })).body;
}
const remove = async ({ saved_filter_id: id }: any, as: Role, headers: Record<string, string> = {}) =>
  (await inventory.request('DELETE', `/v1/saved-filters/${id}`, { as, headers })).status;

test('a person removes an own filter with its pin, and the audit contains it', async () => {
  const filter = await add('Viewer');
  await inventory.request('PATCH', `/v1/saved-filters/${filter.saved_filter_id}`, {
    as: 'Viewer',
    body: { pinned: true },
  });
  expect([await remove(filter, 'Editor'), await remove(filter, 'Admin')]).toEqual([404, 404]);
  expect(await remove(filter, 'Viewer', { 'If-Match': '"2"' })).toBe(412);
  expect([await remove(filter, 'Viewer'), await remove(filter, 'Viewer')]).toEqual([204, 404]);
  expect((await inventory.request('GET', '/v1/saved-filters', { as: 'Viewer' })).body.saved_filters).toEqual([]);
  const { body } = await inventory.request('GET', '/v1/audit?event=saved_filter.removed');
  expect(body.entries).toMatchObject([{ subject: { id: filter.saved_filter_id, name: filter.name } }]);
  // The name is free again.
  expect((await add('Viewer')).revision).toBe(1);
});

test('only the maker or an Admin removes a shared filter', async () => {
  const shared = await add('Admin', true);
  expect([await remove(shared, 'Viewer'), await remove(shared, 'Editor'), await remove(shared, 'Admin')]).toEqual([
    ...[403, 403, 204],
  ]);
  expect(await remove(await add('Editor', true), 'Admin')).toBe(204);
});
