import { type Inventory, startInventory } from '../../../../tests/support/inventory.ts';

let inventory: Inventory;
beforeAll(async () => (inventory = await startInventory()));
afterAll(() => inventory.stop());

const list = (query = '') => inventory.request('GET', `/v1/api-keys${query}`);

test('sorted by name, without those that have expired unless asked for', async () => {
  await inventory.request('POST', '/v1/api-keys', { body: { name: 'b', role: 'Viewer', time_to_live: '1h' } });
  await inventory.request('POST', '/v1/api-keys', { body: { name: 'a', role: 'Editor' } });
  inventory.clock.now = new Date(Date.now() + 3_601_000);
  const names = async (query = '') => (await list(query)).body.api_keys.map(({ name }: { name: string }) => name);
  expect(await names()).toEqual([
    'a',
    'test Admin',
    'test Editor',
    'test Gateway',
    'test Registrar',
    'test Relay',
    'test Viewer',
  ]);
  expect(await names('?include_expired=true')).toEqual([
    'a',
    'b',
    'test Admin',
    'test Editor',
    'test Gateway',
    'test Registrar',
    'test Relay',
    'test Viewer',
  ]);
  inventory.clock.now = undefined;
});

test('paged like every list', async () => {
  const first = (await list('?page_size=2')).body;
  const second = (await list(`?page_size=2&page_token=${first.next_page_token}`)).body;
  expect([...first.api_keys, ...second.api_keys].map(({ name }: { name: string }) => name)).toEqual([
    'a',
    'b',
    'test Admin',
    'test Editor',
  ]);
});

test('by the start of the name, and without the keys of hosts', async () => {
  const { token } = (await inventory.request('POST', '/v1/enrolment-tokens', { body: { name: 'host' } })).body;
  const node = { node_type: 'generic', node_name: 'web-1', address: '192.0.2.7' };
  const call = { as: null, body: { token, node }, sourceIp: '192.0.2.7' };
  const enrolled = await inventory.request('POST', '/v1/enrolment', call);
  expect(enrolled.status).toBe(201);
  const names = async (query: string) => (await list(query)).body.api_keys.map(({ name }: { name: string }) => name);
  expect(await names('?name_prefix=registrar%2Fweb')).toEqual(['registrar/web-1']);
  expect(await names('?name_prefix=test%20V')).toEqual(['test Viewer']);
  expect(await names('?exclude_hosts=true')).not.toContain('registrar/web-1');
  expect(await names('')).toContain('registrar/web-1');
});

test('last use is shown, written at most every five minutes', async () => {
  const at = async (time: string) => {
    inventory.clock.now = new Date(time);
    await inventory.request('GET', '/v1/version', { as: 'Viewer' });
    const keys = (await list()).body.api_keys as { name: string; last_used_at: string }[];
    return keys.find(({ name }) => name === 'test Viewer')!.last_used_at;
  };
  expect(await at('2031-01-01T00:00:00.000Z')).toBe('2031-01-01T00:00:00.000Z');
  expect(await at('2031-01-01T00:04:59.000Z')).toBe('2031-01-01T00:00:00.000Z');
  expect(await at('2031-01-01T00:05:00.000Z')).toBe('2031-01-01T00:05:00.000Z');
  inventory.clock.now = undefined;
});
