import { type Inventory, startInventory } from '../../../../tests/support/inventory.ts';

let inventory: Inventory;
beforeAll(async () => (inventory = await startInventory()));
afterAll(() => inventory.stop());

test('says what runs', async () => {
  expect((await inventory.request('GET', '/v1/version', { as: 'Viewer' })).body).toEqual({
    version: '1.2.3',
    build: { commit: 'abc', time: '2026-01-01T00:00:00.000Z' },
    server: { version: '1.2.3', full_version: '1.2.3+abc', timestamp: '2026-01-01T00:00:00.000Z' },
    managed: { version: '1.2.3', full_version: '1.2.3+abc', timestamp: '2026-01-01T00:00:00.000Z' },
    distribution_method: 'DISTRIBUTION_METHOD_INVALID',
    dashboards: {},
    api: 'v1',
  });
});
