import { refusalMessages } from '../../shared/auth/refusal-messages.ts';
import { addAgent, addHost, addService } from '../support/add.ts';
import { type AgentServer, startAgentServer } from '../support/agent-server.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { type AgentOptions, PmmAgent } from '../support/pmm-agent.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';

let inventory: Inventory;
let server: AgentServer;
let folder: string;
const agents = new Set<PmmAgent>();
beforeAll(async () => {
  [inventory, folder] = [await startInventory(), await newDataDir()];
  server = await startAgentServer(inventory, folder);
}, 60_000);
afterEach(() => {
  for (const agent of agents) agent.close();
  agents.clear();
});
afterAll(async () => {
  await server.stop();
  await inventory.stop();
  await removeDataDir(folder);
});

const bearer = (role: keyof Inventory['keys']) => `Bearer ${inventory.keys[role]}`;

function start(options: Partial<AgentOptions> & Pick<AgentOptions, 'id'>): PmmAgent {
  const agent = new PmmAgent({ port: server.port, generation: 3, authorization: bearer('Editor'), ...options });
  agents.add(agent);
  return agent;
}

const get = async (path: string) => (await inventory.request('GET', path, { as: 'Viewer' })).body;

/** Waits for a condition. */
async function until<T>(read: () => Promise<T> | T, isTrue: (value: T) => boolean): Promise<T> {
  for (const end = Date.now() + 40_000; ;) {
    const value = await read();
    if (isTrue(value)) return value;
    if (Date.now() > end) throw new Error(`still ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const agentWith = (id: string, status: string) =>
  until(
    () => get(`/v1/agents/${id}`),
    (agent) => agent.status === status,
  );

/** The key of a host, by enrolment. */
async function registrar(): Promise<{ key: string; nodeId: string }> {
  const token = await inventory.request('POST', '/v1/enrolment-tokens', {
    body: { name: crypto.randomUUID(), allowed_addresses: ['192.0.2.0/24'] },
  });
  const node = { node_type: 'generic', node_name: crypto.randomUUID(), address: '192.0.2.7' };
  const { body } = await inventory.request('POST', '/v1/enrolment', {
    as: null,
    body: { token: token.body.token, node },
  });
  return { key: body.api_key.key, nodeId: body.node.node_id };
}

describe.each([2, 3] as const)('an agent of PMM %i', (generation) => {
  const idOf = (id: string) => (generation === 2 ? `/agent_id/${id}` : id);

  test('connects, receives its exporters, and its statuses and ports arrive', async () => {
    const { nodeId, pmmAgentId } = await addHost(inventory);
    const exporter = await addAgent(inventory, {
      agent_type: 'node_exporter',
      pmm_agent_id: pmmAgentId,
      disable_collectors: ['zfs', 'arp', '--x; rm'],
    });
    const agent = start({ generation, id: idOf(pmmAgentId) });
    await agent.connected;
    expect(agent.headers).toMatchObject({
      'pmm-agent-node-id': generation === 2 ? `/node_id/${nodeId}` : nodeId,
      'pmm-server-version': generation === 2 ? '2.44.0' : '3.0.0',
    });
    const stored = await agentWith(exporter.agent_id, 'running');
    const { port, args, env } = agent.exporters.get(idOf(exporter.agent_id))!;
    expect(stored).toMatchObject({ status: 'running', listen_port: port, state: 'live' });
    expect(args).toEqual([`--web.listen-address=127.0.0.1:${port}`, '--no-collector.arp', '--no-collector.zfs']);
    expect(env).toEqual([]);
    expect(await get(`/v1/agents/${pmmAgentId}`)).toMatchObject({ connected: true, state: 'live' });
  });

  test('follows every change of its exporters', async () => {
    const { pmmAgentId } = await addHost(inventory);
    const agent = start({ generation, id: idOf(pmmAgentId) });
    await agent.connected;
    await until(
      () => agent.states.length,
      (told) => told === 1,
    );
    expect(agent.exporters.size).toBe(0);
    const { agent_id: id } = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
    await agentWith(id, 'running');
    const change = (body: object) => inventory.request('PATCH', `/v1/agents/${id}`, { as: 'Editor', body });
    await change({ disabled: true });
    await until(
      () => agent.exporters.size,
      (running) => running === 0,
    );
    await change({ disabled: false });
    await agentWith(id, 'running');
    await inventory.request('DELETE', `/v1/agents/${id}`, { as: 'Editor' });
    await until(
      () => agent.exporters.size,
      (running) => running === 0,
    );
    // A change that does not concern the process restarts nothing.
    const told = agent.states.length;
    const other = await addAgent(inventory, { agent_type: 'vm_agent', pmm_agent_id: pmmAgentId });
    expect(await agentWith(other.agent_id, 'not_supported')).toMatchObject({
      status_reason: expect.stringContaining('metrics'),
    });
    expect(agent.states.length).toBe(told);
  });

  test('waits with the reason when its exporter ends, and reveals no credential', async () => {
    const { pmmAgentId, nodeId } = await addHost(inventory);
    const service = await addService(inventory, {
      service_type: 'postgresql',
      node_ids: [nodeId],
      service_name: `pg ${generation}`,
    });
    const exporter = await addAgent(inventory, {
      agent_type: 'postgres_exporter',
      pmm_agent_id: pmmAgentId,
      insights: { service_ids: [service.service_id] },
    });
    const agent = start({ generation, id: idOf(pmmAgentId), failing: [5] });
    const file = `/etc/monitoring-inventory/credentials/${service.service_id}`;
    expect(await agentWith(exporter.agent_id, 'waiting')).toMatchObject({
      status_reason: `Needs files on the host: ${file}.uri, .user and .pass; or its program is not installed.`,
    });
    expect(agent.exporters.get(idOf(exporter.agent_id))?.env).toEqual([
      `DATA_SOURCE_PASS_FILE=${file}.pass`,
      `DATA_SOURCE_URI_FILE=${file}.uri`,
      `DATA_SOURCE_USER_FILE=${file}.user`,
      'INVENTORY_ADDRESS=10.0.0.1:3306',
      `INVENTORY_CREDENTIALS=${file}`,
      `INVENTORY_SERVICE=pg ${generation}`,
    ]);
  });
});

describe('admission', () => {
  test('accepts a Registrar of the host, as Bearer and as Basic, but not one of another host', async () => {
    const { key, nodeId } = await registrar();
    const { agent_id: id } = await addAgent(inventory, { agent_type: 'pmm_agent', runs_on_node_id: nodeId });
    const basic = `Basic ${Buffer.from(`service_token:${key}`).toString('base64')}`;
    for (const authorization of [`Bearer ${key}`, basic]) {
      const agent = start({ id, authorization });
      await agent.connected;
      agent.close();
      await agent.ended;
    }
    const foreign = start({ id: (await addHost(inventory)).pmmAgentId, authorization: `Bearer ${key}` });
    expect(await foreign.ended).toEqual({ code: 7, message: expect.stringContaining('another node') });
  });

  test("refuses all others with the service's messages", async () => {
    const { pmmAgentId: id } = await addHost(inventory);
    const exporter = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: id });
    const name = crypto.randomUUID();
    const removed = (await inventory.request('POST', '/v1/api-keys', { body: { name, role: 'Editor' } })).body;
    await inventory.request('DELETE', `/v1/api-keys/${removed.key_id}`);
    const endOf = (options: Partial<AgentOptions>) => start({ id, ...options }).ended;
    expect(await endOf({ authorization: undefined })).toEqual({ code: 16, message: 'Missing credentials.' });
    expect(await endOf({ authorization: 'Bearer minv_wrong' })).toMatchObject({ code: 16, message: /API key/ });
    expect(await endOf({ authorization: `Bearer ${removed.key}` })).toMatchObject({ code: 16 });
    for (const role of ['Viewer', 'Relay', 'Gateway', 'Registrar'] as const)
      expect([role, await endOf({ authorization: bearer(role) })]).toMatchObject([role, { code: 7 }]);
    expect(await endOf({ authorization: bearer('Viewer') })).toEqual({ code: 7, message: 'Access denied.' });
    expect(await endOf({ id: crypto.randomUUID() })).toMatchObject({ code: 7 });
    expect(await endOf({ id: '../nodes' })).toMatchObject({ code: 7 });
    expect(await endOf({ id: exporter.agent_id })).toMatchObject({ code: 7 });
    expect(await endOf({ path: '/agent.v1.AgentService/Other' })).toMatchObject({ code: 12 });
  });

  test('ends the stream of tokens, of ended or superseded keys, and of keys without the right, with a message', async () => {
    const { pmmAgentId: id } = await addHost(inventory);
    const post = async (path: string, body: object = {}) => (await inventory.request('POST', path, { body })).body;
    const newKey = (more: object = {}) => post('/v1/api-keys', { name: crypto.randomUUID(), role: 'Editor', ...more });
    const superseded = async () => {
      const { key, key_id: keyId } = await newKey();
      await post(`/v1/api-keys/${keyId}/rotate`, { overlap: '0s' });
      return key;
    };
    const removed = async () => {
      const { key, key_id: keyId } = await newKey();
      await inventory.request('DELETE', `/v1/api-keys/${keyId}`);
      return key;
    };
    const used = async () => {
      const { token } = await post('/v1/enrolment-tokens', { name: crypto.randomUUID() });
      const node = { node_type: 'generic', node_name: crypto.randomUUID(), address: '192.0.2.8' };
      await inventory.request('POST', '/v1/enrolment', { as: null, body: { token, node }, sourceIp: '192.0.2.8' });
      return token;
    };
    const { token } = await post('/v1/enrolment-tokens', { name: crypto.randomUUID() });
    const { key: expired } = await newKey({ time_to_live: '1h' });
    const invalid = { code: 16, message: 'Invalid API key' };
    const named = { code: 16, message: refusalMessages.token };
    const cases: [string, string, { code: number; message: string }][] = [
      ['an enrolment token', token, named],
      ['an enrolment token that was used', await used(), named],
      ['a superseded key', await superseded(), invalid],
      ['a removed key', await removed(), invalid],
      ['an expired key', expired, { code: 16, message: 'Expired API key' }],
      [
        'the key of another host',
        (await registrar()).key,
        { code: 7, message: 'Access denied: this key is bound to another node.' },
      ],
      ['a Viewer key', inventory.keys.Viewer, { code: 7, message: 'Access denied.' }],
      ['a Relay key', inventory.keys.Relay, { code: 7, message: 'Access denied.' }],
      ['the key of a gateway', inventory.keys.Gateway, { code: 7, message: 'Access denied.' }],
    ];
    inventory.clock.now = new Date(Date.now() + 2 * 3_600_000);
    try {
      for (const [name, key, end] of cases)
        for (const authorization of [
          `Bearer ${key}`,
          `Basic ${Buffer.from(`service_token:${key}`).toString('base64')}`,
        ]) {
          const agent = start({ id, authorization });
          expect([name, await agent.ended]).toEqual([name, end]);
          // The headers of an admitted stream name the node.
          expect([name, agent.headers['pmm-agent-node-id'], agent.states.length]).toEqual([name, undefined, 0]);
        }
    } finally {
      inventory.clock.now = undefined;
    }
    expect((await get(`/v1/agents/${id}`)).state).toBe('never_seen');
    const seen = JSON.stringify(inventory.logged);
    for (const [name, key] of cases) expect([name, seen.includes(key)]).toEqual([name, false]);
  });

  test('accepts a rotated key and the superseded one during the overlap', async () => {
    const { pmmAgentId: id } = await addHost(inventory);
    const body = { name: crypto.randomUUID(), role: 'Editor' };
    const old = (await inventory.request('POST', '/v1/api-keys', { body })).body;
    const path = `/v1/api-keys/${old.key_id}/rotate`;
    const { key } = (await inventory.request('POST', path, { body: { overlap: '1h' } })).body;
    for (const workingKey of [old.key, key]) {
      const agent = start({ id, authorization: `Bearer ${workingKey}` });
      await agent.connected;
      agent.close();
      await agent.ended;
    }
  });

  test("refuses an agent's second stream while the first answers, else replaces it", async () => {
    const { pmmAgentId: id } = await addHost(inventory);
    const first = start({ id });
    await first.connected;
    expect(await start({ id }).ended).toMatchObject({ code: 6 });
    first.answersPings = false;
    const second = start({ id });
    await second.connected;
    expect(await first.ended).toMatchObject({ code: 10 });
  });

  test('ends when a connected agent is removed', async () => {
    const { pmmAgentId: id } = await addHost(inventory);
    const agent = start({ id });
    await agent.connected;
    await until(
      () => agent.states.length,
      (told) => told === 1,
    );
    await inventory.request('DELETE', `/v1/agents/${id}`, { as: 'Editor' });
    expect(await agent.ended).toEqual({ code: 7, message: 'The agent was removed from the inventory.' });
  });
});

test('a host without a stream becomes stale before its timer', async () => {
  const { nodeId, pmmAgentId: id } = await addHost(inventory);
  const agent = start({ id });
  await agent.connected;
  await until(
    () => get(`/v1/nodes/${nodeId}`),
    ({ state }) => state === 'live',
  );
  agent.close();
  await until(
    () => get(`/v1/nodes/${nodeId}`),
    ({ state }) => state === 'stale',
  );
  await start({ id }).connected;
  await until(
    () => get(`/v1/nodes/${nodeId}`),
    ({ state }) => state === 'live',
  );
}, 60_000);

test('after a gateway restart the statuses are those of the agent', async () => {
  const { pmmAgentId: id } = await addHost(inventory);
  const exporter = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: id });
  const other = await startAgentServer(inventory, folder);
  const before = start({ id, port: other.port });
  await agentWith(exporter.agent_id, 'running');
  await other.stop();
  expect(await before.ended).toMatchObject({ code: 14 });
  // The end of the exporter was reported to nobody: `starting` cannot follow `running` without a new beginning.
  start({ id, slow: [2] });
  await agentWith(exporter.agent_id, 'starting');
}, 60_000);

test('logs, reports and the inventory contain no credential', async () => {
  const canary = 'canary-4f1b';
  const { pmmAgentId: id } = await addHost(inventory);
  const basic = Buffer.from(`admin:${canary}`).toString('base64');
  await start({ id, authorization: `Basic ${basic}` }).ended;
  await start({ id, authorization: `Bearer minv_${canary}` }).ended;
  await start({ id }).connected;
  const lists = await Promise.all(
    ['agents?include=state', 'audit', 'changes'].map((path) => inventory.request('GET', `/v1/${path}`)),
  );
  const seen = JSON.stringify([inventory.logged, lists.map(({ text }) => text)]);
  for (const secret of [canary, basic, ...Object.values(inventory.keys)]) expect(seen).not.toContain(secret);
});
