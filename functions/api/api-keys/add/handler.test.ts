import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { apiKeyCounterKey } from '../../../store/table/keys.ts';
import { readItem } from '../../../store/table/read.ts';
import { testTime } from '../../../../tests/support/test-time.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const add = (body: unknown) => inventory.request('POST', '/v1/api-keys', { body });
const version = (headers: Record<string, string>) => inventory.request('GET', '/v1/version', { as: null, headers });

test('a key is shown once, works at once in every form, and is not in the table', async () => {
  const { status, body } = await add({ name: 'once', role: 'Viewer', time_to_live: '1d' });
  expect(status).toBe(201);
  expect(body).toMatchObject({ name: 'once', role: 'Viewer', created_by: { kind: 'api_key', name: 'test Admin' } });
  expect(body.key).toMatch(/^minv_[0-9A-Za-z]{43}_[0-9a-f]{8}$/);
  expect(body.prefix).toBe(body.key.slice(0, 9));
  expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBeGreaterThan(86_399_000 - 1000);
  const basic = (user: string) => ({ Authorization: `Basic ${Buffer.from(`${user}:${body.key}`).toString('base64')}` });
  for (const headers of [{ Authorization: `Bearer ${body.key}` }, basic('api_key'), basic('service_token')])
    expect((await version(headers)).status).toBe(200);
  const { Items } = await inventory.table.client.send(new ScanCommand({ TableName: inventory.table.name }));
  expect(JSON.stringify(Items)).not.toContain(body.key.slice(10, 40));
  expect((await inventory.request('GET', '/v1/api-keys')).text).not.toContain(body.key.slice(10, 40));
});

test.each([
  ['30', 30],
  ['5h', 18_000],
  ['1M', 2_592_000],
  [' 1y ', 31_536_000],
])('a key with the time to live %j ends after %i seconds', async (time_to_live, seconds) => {
  inventory.clock.now = new Date('2026-01-01T00:00:00Z');
  const { body } = await add({ name: `ttl "${time_to_live}"`, role: 'Viewer', time_to_live });
  inventory.clock.now = undefined;
  expect(body.expires_at).toBe(new Date(Date.parse('2026-01-01T00:00:00Z') + seconds * 1000).toISOString());
});

test('a key without a time to live never expires', async () => {
  const { status, body } = await add({ name: 'lasting', role: 'Viewer' });
  expect(status).toBe(201);
  expect(body).not.toHaveProperty('expires_at');
});

// An unset shell variable is an empty text: it must not result in a key that never expires.
test.each(['', '  ', '0', '-1d', '1.5d', '1d6h', '1D', '1e3', '0x10', '10ms', '101y', '1 d', 'd', '\uff11d'])(
  'the time to live %j is refused, and the error explains durations',
  async (ttl) => {
    expect(await add({ name: 'never', role: 'Viewer', time_to_live: ttl })).toMatchObject({
      status: 400,
      body: {
        details: [
          {
            field: 'time_to_live',
            message:
              'Must be a whole number and a unit (s, m, h, d, w, M for 30 days, y for 365 days; none: s), from 1s to 100y.',
          },
        ],
      },
    });
  },
);

test.each(['admin', 'Owner', '', null, ['Admin'], {}, 'None'])('role %j is refused', async (role) => {
  expect(await add({ name: 'role', role })).toMatchObject({ status: 400, body: { details: [{ field: 'role' }] } });
});

describe('the name of a key that has ended', () => {
  afterEach(() => (inventory.clock.now = undefined));

  const statusWith = async ({ key }: { key: string }) => (await version({ Authorization: `Bearer ${key}` })).status;
  const count = async () => (await readItem(inventory.table, apiKeyCounterKey))?.['api_keys'];
  const later = (seconds: number) => (inventory.clock.now = testTime(seconds * 1000));

  test('is free: a nightly add replaces the key of the night before, and counts it once', async () => {
    const before = Number(await count());
    const nights: any[] = [];
    for (const night of [1, 2, 3]) {
      later(night * 100);
      const { status, body } = await add({ name: 'nightly', role: 'Editor', time_to_live: '50s' });
      expect([status, await statusWith(body)]).toEqual([201, 200]);
      nights.push(body);
    }
    expect(await count()).toBe(before + 1);
    expect(await Promise.all(nights.map(statusWith))).toEqual([401, 401, 200]);
    const { body } = await inventory.request('GET', '/v1/api-keys?include_expired=true&name_prefix=nightly');
    expect(body.api_keys).toMatchObject([{ key_id: nights[2].key_id }]);
    const events = (await inventory.request('GET', '/v1/audit?page_size=1000')).body.entries as any[];
    const ofNights = nights.slice(0, 2).map(({ key_id: id }) =>
      events
        .filter(({ subject }) => subject?.id === id)
        .map(({ event }) => event)
        .toSorted(),
    );
    expect(ofNights).toEqual([
      ['api_key.added', 'api_key.removed'],
      ['api_key.added', 'api_key.removed'],
    ]);
  });

  test('is taken while the key works, also by a rotated secret', async () => {
    const { body } = await add({ name: 'working', role: 'Viewer', time_to_live: '50s' });
    later(40);
    await inventory.request('POST', `/v1/api-keys/${body.key_id}/rotate`, { body: { overlap: '1s' } });
    later(80);
    expect((await add({ name: 'working', role: 'Viewer' })).status).toBe(409);
    later(100);
    expect((await add({ name: 'working', role: 'Viewer' })).status).toBe(201);
    expect(await statusWith(body)).toBe(401);
  });

  test('is free although its former secrets are left, and none of them works again', async () => {
    const { body } = await add({ name: 'rotated', role: 'Viewer', time_to_live: '50s' });
    const { body: next } = await inventory.request('POST', `/v1/api-keys/${body.key_id}/rotate`, {
      body: { overlap: '1d' },
    });
    later(100);
    expect((await add({ name: 'rotated', role: 'Admin' })).status).toBe(201);
    inventory.clock.now = undefined;
    expect([await statusWith(body), await statusWith(next)]).toEqual([401, 401]);
  });

  test('is given once to 20 simultaneous adds; a permanent Admin key is counted as one', async () => {
    await add({ name: 'raced', role: 'Viewer', time_to_live: '50s' });
    const before = Number(await count());
    const admins = async () => Number((await readItem(inventory.table, apiKeyCounterKey))?.['permanent_admins']);
    const adminsBefore = await admins();
    later(100);
    const replies = await Promise.all(Array.from({ length: 20 }, () => add({ name: 'raced', role: 'Admin' })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    expect([await count(), await admins()]).toEqual([before, adminsBefore + 1]);
  });

  test('is free when the key was disabled before its end, but not for a team that does not own it', async () => {
    const { body } = await add({ name: 'off', role: 'Editor', owners: ['shop'], time_to_live: '50s' });
    const ofTeam = (owner: string) => add({ name: `team ${owner}`, role: 'Editor', owners: [owner] });
    const [shop, other] = [(await ofTeam('shop')).body, (await ofTeam('other')).body];
    await inventory.request('PATCH', `/v1/api-keys/${body.key_id}`, { body: { disabled: true } });
    const addAs = async ({ key }: { key: string }) =>
      (
        await inventory.request('POST', '/v1/api-keys', {
          as: null,
          headers: { Authorization: `Bearer ${key}` },
          body: { name: 'off', role: 'Viewer' },
        })
      ).status;
    expect(await addAs(shop)).toBe(409);
    later(100);
    expect([await addAs(other), await addAs(shop)]).toEqual([409, 201]);
  });
});

test('20 simultaneous adds with one name make one key', async () => {
  const replies = await Promise.all(Array.from({ length: 20 }, () => add({ name: 'race', role: 'Viewer' })));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
});

test('fields of the server are refused', async () => {
  const reply = await add({ name: 'x', role: 'Viewer', key_id: 'x', key: 'x', created_at: 'x', expires_at: 'x' });
  expect(reply.body.details.map(({ field }: { field: string }) => field)).toEqual([
    'key_id',
    'key',
    'created_at',
    'expires_at',
  ]);
});
