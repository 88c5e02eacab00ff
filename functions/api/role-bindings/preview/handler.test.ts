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

test('the strongest role of all that match, with the reason why others do not', async () => {
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

test('without the claim of groups, no group; without a binding, no role', async () => {
  expect((await preview({})).role).toBe('Viewer');
  expect(await preview({ groups: ['ops'], mfa: true }, 'github')).toEqual({ bindings: [] });
});
