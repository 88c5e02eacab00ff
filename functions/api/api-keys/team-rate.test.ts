import { type Inventory, startInventory } from '../../../tests/support/inventory.ts';
import { addLimitedKey, type LimitedKey, requestsWith } from '../../../tests/support/teams.ts';

let inventory: Inventory;
let minutes = 0;
beforeAll(async () => (inventory = await startInventory()));
afterAll(() => inventory.stop());
// A minute of its own: requests of other tests do not count in it.
beforeEach(() => (inventory.clock.now = new Date(Date.UTC(2999, 0, 1, 0, (minutes += 1)))));

const nextMinute = () => (inventory.clock.now = new Date(Date.UTC(2999, 0, 1, 0, (minutes += 1))));
const teamKey = (more: object = {}) => addLimitedKey(inventory, ['a', 'b'], { rate_limit_per_minute: 5, ...more });
const change = (
  { request }: Pick<LimitedKey, 'request'>,
  id: string,
  rate_limit_per_minute: number | null,
  more = {},
) => request('PATCH', `/v1/api-keys/${id}`, { rate_limit_per_minute, ...more });
const limitOf = async (id: string) => {
  const { body } = await inventory.request('GET', '/v1/api-keys?page_size=1000');
  return body.api_keys.find(({ key_id }: any) => key_id === id).rate_limit_per_minute;
};

test('a team key cannot remove or raise a rate limit, neither its own nor another one', async () => {
  const [limitedKey, other] = [await teamKey(), await teamKey()];
  for (const { id } of [limitedKey, other])
    for (const rate of [null, 6]) expect((await change(other, id, rate)).status).toBe(403);
  nextMinute();
  expect((await change(limitedKey, limitedKey.id, null, { disabled: false })).status).toBe(403);
  expect((await change(limitedKey, limitedKey.id, 6, { owners: ['a'] })).status).toBe(403);
  expect([await limitOf(limitedKey.id), await limitOf(other.id)]).toEqual([5, 5]);
});

test('a team key lowers rate limits, and an Admin changes them', async () => {
  const [limitedKey, free] = [await teamKey(), await teamKey({ rate_limit_per_minute: undefined })];
  expect((await change(limitedKey, limitedKey.id, 4)).status).toBe(204);
  expect((await change(limitedKey, limitedKey.id, 5)).status).toBe(403);
  expect((await change(limitedKey, free.id, 7)).status).toBe(204);
  expect((await change(free, free.id, 8)).status).toBe(403);
  expect([await limitOf(limitedKey.id), await limitOf(free.id)]).toEqual([4, 7]);
  const admin = { request: requestsWith(inventory, inventory.keys.Admin) };
  expect((await change(admin, limitedKey.id, 100)).status).toBe(204);
  expect((await change(admin, free.id, null)).status).toBe(204);
  expect([await limitOf(limitedKey.id), await limitOf(free.id)]).toEqual([100, undefined]);
});

async function addedBy({ request }: LimitedKey, more: object = {}): Promise<LimitedKey> {
  const { status, body, text } = await request('POST', '/v1/api-keys', {
    name: crypto.randomUUID(),
    role: 'Editor',
    ...more,
  });
  if (status !== 201) throw new Error(text);
  return { id: body.key_id, name: body.name, key: body.key, request: requestsWith(inventory, body.key) };
}

test('keys that a team key adds have at most its limit, and share it with that key', async () => {
  const limitedKey = await teamKey();
  const child = await addedBy(limitedKey);
  const grandchild = await addedBy(child, { rate_limit_per_minute: 4 });
  expect([await limitOf(child.id), await limitOf(grandchild.id)]).toEqual([5, 4]);
  const higher = await limitedKey.request('POST', '/v1/api-keys', {
    name: 'x',
    role: 'Viewer',
    rate_limit_per_minute: 6,
  });
  expect(higher.status).toBe(403);
  nextMinute();
  const statuses = [];
  for (let round = 0; round < 3; round += 1)
    for (const { request } of [limitedKey, child, grandchild])
      statuses.push((await request('GET', '/v1/caller')).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(5);
});

test('a rotated key still shares the limit of the key that added it', async () => {
  const limitedKey = await teamKey();
  const { id } = await addedBy(limitedKey);
  const { body } = await inventory.request('POST', `/v1/api-keys/${id}/rotate`, { body: { overlap: '0s' } });
  nextMinute();
  for (let count = 0; count < 5; count += 1) expect((await limitedKey.request('GET', '/v1/caller')).status).toBe(200);
  expect((await requestsWith(inventory, body.key)('GET', '/v1/caller')).status).toBe(429);
});

test("a limit that an Admin sets during the gateway's cache time is inherited", async () => {
  const cached = await startInventory({ authorizerCacheSeconds: 300 });
  try {
    const limitedKey = await addLimitedKey(cached, ['a']);
    expect((await limitedKey.request('GET', '/v1/caller')).status).toBe(200);
    await cached.request('PATCH', `/v1/api-keys/${limitedKey.id}`, { body: { rate_limit_per_minute: 5 } });
    expect((await limitedKey.request('POST', '/v1/api-keys', { name: 'x', role: 'Viewer' })).status).toBe(403);
  } finally {
    await cached.stop();
  }
});
