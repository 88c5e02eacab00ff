import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

test('lists each binding once across pages, by id', async () => {
  const names = ['b', 'a', 'c'];
  for (const name of names)
    await inventory.request('POST', '/v1/role-bindings', {
      body: { name, provider: 'company', claims: { groups: [name] }, role: 'Viewer' },
    });
  const { body } = await inventory.request('GET', '/v1/role-bindings?page_size=2');
  const rest = await inventory.request('GET', `/v1/role-bindings?page_size=2&page_token=${body.next_page_token}`);
  const listed = [...body.role_bindings, ...rest.body.role_bindings].map(({ binding_id: id }: any) => id);
  expect(listed).toEqual(['a', 'b', 'c']);
  expect(rest.body.next_page_token).toBeUndefined();
});
