import { checkInvariants } from '../../../../tests/consistency/invariants.ts';
import { type Inventory, startInventory } from '../../../../tests/support/inventory.ts';

let inventory: Inventory;
beforeAll(async () => (inventory = await startInventory()));
afterAll(() => inventory.stop());
afterEach(async () => expect(await checkInvariants(inventory.table)).toEqual([]));

const add = async (body: object) =>
  (await inventory.request('POST', '/v1/api-keys', { body: { role: 'Viewer', ...body } })).body;
const change = (id: string, body: object) => inventory.request('PATCH', `/v1/api-keys/${id}`, { body });
const rotate = async (id: string) =>
  (await inventory.request('POST', `/v1/api-keys/${id}/rotate`, { body: { overlap: '1h' } })).body;
const limitOf = async (key: string) =>
  (await inventory.request('GET', '/v1/caller', { as: null, headers: { Authorization: `Bearer ${key}` } })).body
    .rate_limit_per_minute;

test('a limit is set, changed, left alone and taken away, for every text that works', async () => {
  const old = await add({ name: 'k' });
  const { key } = await rotate(old.key_id);
  const limits = async () => [await limitOf(old.key), await limitOf(key)];
  expect(await limits()).toEqual([undefined, undefined]);
  expect((await change(old.key_id, { rate_limit_per_minute: 500 })).status).toBe(204);
  expect(await limits()).toEqual([500, 500]);
  expect((await change(old.key_id, {})).status).toBe(204);
  expect(await limits()).toEqual([500, 500]);
  expect((await change(old.key_id, { rate_limit_per_minute: null })).status).toBe(204);
  expect(await limits()).toEqual([undefined, undefined]);
});

test('changed and rotated at once: every text that works has the new limit', async () => {
  for (let round = 0; round < 10; round += 1) {
    const old = await add({ name: `race ${round}`, rate_limit_per_minute: 100 });
    const [changed, rotated] = await Promise.all([
      change(old.key_id, { rate_limit_per_minute: 200 }),
      rotate(old.key_id),
    ]);
    expect(changed.status).toBe(204);
    expect([await limitOf(old.key), await limitOf(rotated.key)]).toEqual([200, 200]);
  }
});

test('changes only the limit, and only of an existing key', async () => {
  const { key_id: id } = await add({ name: 'only' });
  for (const body of [{ name: 'x' }, { role: 'Admin' }, { rate_limit_per_minute: 0 }, { time_to_live: '1y' }])
    expect((await change(id, body)).status).toBe(400);
  expect(await change('nothing', { rate_limit_per_minute: 5 })).toMatchObject({ status: 404, body: { code: 5 } });
});
