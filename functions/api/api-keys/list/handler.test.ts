import { scan } from '../../../../tests/consistency/invariants.ts';
import { testTime } from '../../../../tests/support/test-time.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const list = (query = '') => inventory.request('GET', `/v1/api-keys${query}`);

test('lists keys by name, and expired ones only on request', async () => {
  await inventory.request('POST', '/v1/api-keys', { body: { name: 'b', role: 'Viewer', time_to_live: '1h' } });
  await inventory.request('POST', '/v1/api-keys', { body: { name: 'a', role: 'Editor' } });
  inventory.clock.now = testTime(3_601_000);
  const names = async (query = '') => (await list(query)).body.api_keys.map(({ name }: { name: string }) => name);
  const others = ['Admin', 'Editor', 'Gateway', 'Registrar', 'Relay', 'Viewer'].map((role) => `test ${role}`);
  expect(await names()).toEqual(['a', ...others]);
  expect(await names('?include_expired=true')).toEqual(['a', 'b', ...others]);
  inventory.clock.now = undefined;
});

test('lists keys in pages', async () => {
  const first = (await list('?page_size=2')).body;
  const second = (await list(`?page_size=2&page_token=${first.next_page_token}`)).body;
  expect([...first.api_keys, ...second.api_keys].map(({ name }: { name: string }) => name)).toEqual([
    'a',
    'b',
    'test Admin',
    'test Editor',
  ]);
});

test('the filter by name prefix omits the keys of hosts', async () => {
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

test('shows the last use, which is written at most every five minutes', async () => {
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

test('shows authorizations by day up to the last recorded use, also those by a former secret', async () => {
  const old = (await inventory.request('POST', '/v1/api-keys', { body: { name: 'counted', role: 'Viewer' } })).body;
  const use = async (key: string, time: string) => {
    inventory.clock.now = new Date(time);
    expect(await inventory.request('GET', '/v1/version', withKey(key))).toMatchObject({ status: 200 });
    return (await list('?name_prefix=counted')).body.api_keys[0].uses_by_day;
  };
  const of = (...counts: readonly number[]) => counts.map((uses, day) => ({ date: `2031-02-0${day + 1}`, uses }));
  expect((await list('?name_prefix=counted')).body.api_keys[0]).not.toHaveProperty('uses_by_day');
  expect(await use(old.key, '2031-02-01T10:00:00Z')).toEqual(of(1));
  expect(await use(old.key, '2031-02-01T10:01:00Z')).toEqual(of(1));
  expect(await use(old.key, '2031-02-02T10:00:00Z')).toEqual(of(2, 1));
  const { body } = await inventory.request('POST', `/v1/api-keys/${old.key_id}/rotate`, { body: { overlap: '1d' } });
  expect(body.uses_by_day).toEqual(of(2, 1));
  expect(await use(old.key, '2031-02-02T10:10:00Z')).toEqual(of(2, 2));
  expect(await use(body.key, '2031-02-03T10:00:00Z')).toEqual(of(2, 2, 1));
  inventory.clock.now = undefined;
});

const withKey = (key: string) => ({ as: null, headers: { Authorization: `Bearer ${key}` } });

describe('the last use of the key of a host that reports', () => {
  const start = Date.parse('2032-01-01T00:00:00.000Z');
  const at = (minutes: number) => {
    inventory.clock.now = new Date(start + minutes * 60_000);
  };
  const timeAt = (minutes: number) => new Date(start + minutes * 60_000).toISOString();
  afterEach(() => (inventory.clock.now = undefined));

  async function host(name: string) {
    at(0);
    const { token } = (await inventory.request('POST', '/v1/enrolment-tokens', { body: { name } })).body;
    const node = { node_type: 'generic', node_name: name, address: '10.7.7.7' };
    const enrolment = { as: null, body: { token, node }, sourceIp: '10.7.7.7' };
    const { body: enrolled } = await inventory.request('POST', '/v1/enrolment', enrolment);
    const key: string = enrolled.api_key.key;
    const pmmAgent = { agent_type: 'pmm_agent', runs_on_node_id: enrolled.node.node_id };
    const pmmAgentId: string = (await inventory.request('POST', '/v1/agents', { body: pmmAgent })).body.agent_id;
    const report = (minutes: number, more: object = {}) => {
      at(minutes);
      const path = `/v1/agents/${pmmAgentId}/report`;
      return inventory.request('POST', path, { ...withKey(key), body: { agents: [] }, sourceIp: '10.7.7.8', ...more });
    };
    const shown = async () => {
      const [registrarKey] = (await list(`?name_prefix=registrar%2F${name}`)).body.api_keys;
      return registrarKey as Record<string, unknown>;
    };
    const stored = async () =>
      (await scan(inventory.table)).find((item) => item['sk'] === 'KEY' && item['name'] === `registrar/${name}`)!;
    return { key, pmmAgentId, report, shown, stored };
  }

  test('is that of its last stored report, without a write of the key', async () => {
    const { report, shown, stored } = await host('quiet');
    await report(1);
    const before = await stored();
    for (const minutes of [11, 21, 31]) {
      expect(await report(minutes)).toMatchObject({ status: 200 });
      expect(await shown()).toMatchObject({ last_used_at: timeAt(minutes), last_used_from: '10.7.7.8' });
    }
    expect(await stored()).toEqual(before);
  });

  test('is that of another request if that is later, and of a refused report after a day', async () => {
    const { key, report, shown } = await host('busy');
    await report(1);
    at(7);
    await inventory.request('GET', '/v1/caller', { ...withKey(key), sourceIp: '10.7.7.9' });
    expect(await shown()).toMatchObject({ last_used_at: timeAt(7), last_used_from: '10.7.7.9' });
    await report(20);
    expect(await shown()).toMatchObject({ last_used_at: timeAt(20), last_used_from: '10.7.7.8' });
    const refused = (minutes: number) => report(minutes, { body: { agents: [{}] } });
    expect(await refused(60)).toMatchObject({ status: 400 });
    expect(await shown()).toMatchObject({ last_used_at: timeAt(20) });
    await refused(24 * 60 + 30);
    expect(await shown()).toMatchObject({ last_used_at: timeAt(24 * 60 + 30) });
  });

  test('belongs to the secret that reported: after a rotation to the former one, until the new one reports', async () => {
    const { key, pmmAgentId, report, shown } = await host('rotated');
    await report(1);
    await report(11);
    const rotated = await inventory.request('POST', '/v1/caller/rotate', { ...withKey(key), body: { overlap: '1h' } });
    expect(rotated).toMatchObject({ status: 200 });
    await report(21);
    expect(await shown()).toMatchObject({ former_last_used_at: timeAt(21), former_last_used_from: '10.7.7.8' });
    expect(await shown()).not.toHaveProperty('last_used_at');
    at(31);
    const headers = withKey(rotated.body.key);
    await inventory.request('POST', `/v1/agents/${pmmAgentId}/report`, { ...headers, body: { agents: [] } });
    expect(await shown()).toMatchObject({ former_last_used_at: timeAt(21), last_used_at: timeAt(31) });
  });

  test('does not change when a relay or an Editor reports for the host, also in a group', async () => {
    const hosts = [];
    for (let count = 0; count < 10; count += 1) hosts.push(await host(`relayed${count}`));
    for (const { report } of hosts) await report(1);
    const reports = hosts.map(({ pmmAgentId }) => ({ pmm_agent_id: pmmAgentId, agents: [] }));
    for (const minutes of [2, 3, 4]) {
      at(minutes);
      const reply = await inventory.request('POST', '/v1/reports', { as: 'Relay', body: { reports } });
      expect(reply).toMatchObject({ status: 200 });
    }
    const [{ pmmAgentId, shown, report }] = hosts as [(typeof hosts)[0]];
    const grouped = (await scan(inventory.table)).filter((item) => item['group'] !== undefined);
    expect(grouped.map((item) => item['group'])).toHaveLength(10);
    at(30);
    await inventory.request('POST', `/v1/agents/${pmmAgentId}/report`, { as: 'Editor', body: { agents: [] } });
    expect(await shown()).toMatchObject({ last_used_at: timeAt(1) });
    await report(45);
    expect(await shown()).toMatchObject({ last_used_at: timeAt(45) });
  });
});
