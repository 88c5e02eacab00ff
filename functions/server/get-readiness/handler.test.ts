import { type Inventory, startInventory } from '../../../tests/support/inventory.ts';

let inventory: Inventory;
beforeAll(async () => (inventory = await startInventory()));
afterAll(() => inventory.stop());

const ready = () => inventory.request('GET', '/v1/readyz', { as: null });

test('ready as long as the table answers, without credentials and without saying anything else', async () => {
  expect(await ready()).toMatchObject({ status: 200, text: '{}' });
});

test('503 with Retry-After when the table cannot be reached', async () => {
  const other = await startInventory({
    table: ({ name }) => ({ name, client: { send: () => Promise.reject(new Error('unreachable')) } as never }),
  });
  try {
    const reply = await other.request('GET', '/v1/readyz', { as: null });
    expect(reply).toMatchObject({ status: 503, body: { code: 14 }, headers: { 'Retry-After': '1' } });
    expect(reply.text).not.toContain('unreachable');
  } finally {
    await other.stop();
  }
});
