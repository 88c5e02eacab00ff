import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

test('an Admin gets the binding as it was added; other roles cannot', async () => {
  const body = { name: 'one', provider: 'company', claims: { groups: ['dba'] }, role: 'Editor' };
  const { body: added } = await inventory.request('POST', '/v1/role-bindings', { body });
  const path = '/v1/role-bindings/one';
  expect((await inventory.request('GET', path)).body).toEqual(added);
  const headers = { 'If-None-Match': '"1"' };
  expect((await inventory.request('GET', path, { headers })).status).toBe(304);
  for (const as of ['Editor', 'Viewer', 'Registrar', 'Relay', 'Gateway'] as const)
    expect([as, (await inventory.request('GET', path, { as })).status]).toEqual([as, 403]);
  expect((await inventory.request('GET', '/v1/role-bindings/two')).status).toBe(404);
});
