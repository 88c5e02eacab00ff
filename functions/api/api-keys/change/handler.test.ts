import { checkInvariants } from '../../../../tests/consistency/invariants.ts';
import { testTime } from '../../../../tests/support/test-time.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();
afterEach(async () => expect(await checkInvariants(inventory.table)).toEqual([]));

const add = async (body: object) =>
  (await inventory.request('POST', '/v1/api-keys', { body: { role: 'Viewer', ...body } })).body;
const change = (id: string, body: object) => inventory.request('PATCH', `/v1/api-keys/${id}`, { body });
const rotate = async (id: string) =>
  (await inventory.request('POST', `/v1/api-keys/${id}/rotate`, { body: { overlap: '1h' } })).body;
const limitOf = async (key: string) =>
  (await inventory.request('GET', '/v1/caller', { as: null, headers: { Authorization: `Bearer ${key}` } })).body
    .rate_limit_per_minute;

test('a change of the rate limit applies to every secret of the key', async () => {
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

test('a change and a simultaneous rotation give every secret the new limit', async () => {
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

test('a change keeps all other fields, and needs an existing key', async () => {
  const { key_id: id } = await add({ name: 'only' });
  for (const body of [
    { name: 'x' },
    { role: 'Admin' },
    { rate_limit_per_minute: 0 },
    { time_to_live: '1y' },
    { disabled: null },
  ])
    expect((await change(id, body)).status).toBe(400);
  expect(await change('nothing', { rate_limit_per_minute: 5 })).toMatchObject({ status: 404, body: { code: 5 } });
});

const callerWith = (key: string) =>
  inventory.request('GET', '/v1/caller', { as: null, headers: { Authorization: `Bearer ${key}` } });
const statuses = async (...keys: readonly string[]) =>
  Promise.all(keys.map(async (key) => (await callerWith(key)).status));
const shown = async (id: string) =>
  (await inventory.request('GET', '/v1/api-keys?include_expired=true')).body.api_keys.find(
    ({ key_id: keyId }: any) => keyId === id,
  );

test('a disabled key is refused with all its secrets until it is enabled; the list and the audit say so', async () => {
  const old = await add({ name: 'paused', time_to_live: '30d' });
  const { key } = await rotate(old.key_id);
  const before = await shown(old.key_id);
  expect((await change(old.key_id, { disabled: true })).status).toBe(204);
  expect(await callerWith(key)).toMatchObject({ status: 401, body: { code: 16, message: 'Disabled API key' } });
  expect(await statuses(old.key, key, inventory.keys.Viewer)).toEqual([401, 401, 200]);
  expect(await shown(old.key_id)).toEqual({ ...before, disabled: true });
  expect((await change(old.key_id, { disabled: false })).status).toBe(204);
  expect(await statuses(old.key, key)).toEqual([200, 200]);
  expect(await shown(old.key_id)).not.toHaveProperty('disabled');

  const entries = (await inventory.request('GET', `/v1/audit?object_id=${old.key_id}`)).body.entries;
  const changes = entries.filter(({ event }: any) => event === 'api_key.changed');
  expect(changes.map(({ after }: any) => after)).toEqual([{ disabled: false }, { disabled: true }]);
  const refused = entries.filter(({ event }: any) => event === 'api_key.refused');
  expect(refused).toMatchObject([
    { reason: 'disabled_key', subject: { kind: 'api_key', id: old.key_id, name: 'paused' } },
  ]);
});

test('a disabled key can be rotated and removed; its new secret works when it is enabled', async () => {
  const old = await add({ name: 'leaked' });
  await change(old.key_id, { disabled: true });
  const path = `/v1/api-keys/${old.key_id}`;
  const { key } = (await inventory.request('POST', `${path}/rotate`, { body: { overlap: '0s' } })).body;
  expect(await statuses(old.key, key)).toEqual([401, 401]);
  await change(old.key_id, { disabled: false });
  expect(await statuses(old.key, key)).toEqual([401, 200]);
  await change(old.key_id, { disabled: true });
  expect((await inventory.request('DELETE', path)).status).toBe(204);
  expect(await change(old.key_id, { disabled: false })).toMatchObject({ status: 404 });
});

test('a disabled key still expires', async () => {
  const { key, key_id: id } = await add({ name: 'short', time_to_live: '1h' });
  await change(id, { disabled: true });
  inventory.clock.now = testTime(3_601_000);
  expect(await callerWith(key)).toMatchObject({ status: 401, body: { message: 'Expired API key' } });
  inventory.clock.now = undefined;
  await change(id, { disabled: false });
  expect(await statuses(key)).toEqual([200]);
});

test('a session that a disabled key did not open, and an enrolment token that it made, still work', async () => {
  const admin = await add({ name: 'maker', role: 'Admin' });
  const as = { as: null, headers: { Authorization: `Bearer ${admin.key}` } };
  const { body: made } = await inventory.request('POST', '/v1/enrolment-tokens', { ...as, body: { name: 'host' } });
  expect(await change(admin.key_id, { disabled: true })).toMatchObject({ status: 204 });
  const node = { node_type: 'generic', node_name: 'web-1', address: '192.0.2.7' };
  const call = { as: null, body: { token: made.token, node }, sourceIp: '192.0.2.7' };
  expect((await inventory.request('POST', '/v1/enrolment', call)).status).toBe(201);
});

test('no key disables itself', async () => {
  const { key, key_id: id } = await add({ name: 'self', role: 'Admin' });
  const request = { as: null, headers: { Authorization: `Bearer ${key}` }, body: { disabled: true } };
  expect(await inventory.request('PATCH', `/v1/api-keys/${id}`, request)).toMatchObject({
    status: 400,
    body: { code: 9 },
  });
  expect(await statuses(key)).toEqual([200]);
});
