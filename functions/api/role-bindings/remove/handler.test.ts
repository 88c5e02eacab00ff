import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

test('a removed binding grants no role, and its name is free', async () => {
  const body = { name: 'one', provider: 'company', claims: { groups: ['dba'] }, role: 'Editor' };
  const add = () => inventory.request('POST', '/v1/role-bindings', { body });
  const roleNow = async () => {
    const identity = { provider: 'company', claims: { groups: ['dba'] } };
    return (await inventory.request('POST', '/v1/role-bindings/preview', { body: identity })).body.role;
  };
  await add();
  expect(await roleNow()).toBe('Editor');
  const remove = () => inventory.request('DELETE', '/v1/role-bindings/one');
  expect((await remove()).status).toBe(204);
  expect((await remove()).status).toBe(404);
  expect(await roleNow()).toBeUndefined();
  expect((await add()).status).toBe(201);
  const { body: audit } = await inventory.request('GET', '/v1/audit?event=role_binding.removed');
  expect(audit.entries).toHaveLength(1);
});
