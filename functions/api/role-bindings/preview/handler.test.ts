import { type Inventory, startInventory } from '../../../../tests/support/inventory.ts';

let inventory: Inventory;
beforeAll(async () => {
  inventory = await startInventory();
  const bindings = [
    { name: 'all', claims: {}, role: 'Viewer' },
    { name: 'dba', claims: { groups: ['dba', 'dba-lead'] }, role: 'Editor', owners: ['db'] },
    { name: 'ops', claims: { groups: ['ops'], mfa: ['true'] }, role: 'Admin' },
  ];
  for (const binding of bindings)
    await inventory.request('POST', '/v1/role-bindings', { body: { provider: 'company', ...binding } });
});
afterAll(() => inventory.stop());

const preview = async (claims: object, provider = 'company') =>
  (await inventory.request('POST', '/v1/role-bindings/preview', { body: { provider, claims } })).body;

test('returns the strongest matching role, and the reasons why other bindings do not match', async () => {
  expect(await preview({ groups: ['ops', 'dba'] })).toEqual({
    role: 'Editor',
    owners: ['db'],
    bindings: [
      { binding_id: 'all', role: 'Viewer', matched: true, missing_claims: [] },
      { binding_id: 'dba', role: 'Editor', matched: true, missing_claims: [] },
      { binding_id: 'ops', role: 'Admin', matched: false, missing_claims: ['mfa'] },
    ],
  });
  expect((await preview({ groups: ['ops'], mfa: true })).role).toBe('Admin');
});

test('without the groups claim there is no group, and without a binding no role', async () => {
  expect((await preview({})).role).toBe('Viewer');
  expect(await preview({ groups: ['ops'], mfa: true }, 'github')).toEqual({ bindings: [] });
});
