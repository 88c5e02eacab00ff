import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { addNode } from '../../../tests/support/add.ts';
import {
  capabilities,
  collector,
  describedBy,
  enrolled,
  newUid,
  OpampAgent,
  post,
  written,
} from '../../../tests/support/opamp.ts';
import { useCheckedInventory } from '../../../tests/support/fixtures.ts';

const inventory = useCheckedInventory();

const REPORT_FULL_STATE = 1n;
const healthy = { healthy: true };

const get = async (path: string) => (await inventory.request('GET', path, { as: 'Viewer' })).body;
const collectorsOf = async (nodeId: string) =>
  (await get(`/v1/agents?runs_on_node_id=${nodeId}&agent_type=otel_collector&include=state`)).agents;

/** Moves the clock; the first call stops it. */
function pass(milliseconds: number): void {
  inventory.clock.now = new Date(inventory.dependencies.clock().getTime() + milliseconds);
}

const HOUR = 3_600_000;

async function host(capabilityBits: bigint = capabilities.extension) {
  const { nodeId, key } = await enrolled(inventory);
  const agent = new OpampAgent(inventory, key, capabilityBits);
  const start = () => agent.send({ agentDescription: collector('web-1'), health: healthy });
  return { nodeId, key, agent, start };
}

test('a collector with the key of its host is declared on that node, with version and health', async () => {
  const { nodeId, agent, start } = await host();
  const { status, headers, message } = await start();
  expect([status, headers['Content-Type']]).toEqual([200, 'application/x-protobuf']);
  expect(Buffer.from(message.instanceUid)).toEqual(Buffer.from(agent.uid));
  expect(message.capabilities).toBe(0x21n);
  expect(await collectorsOf(nodeId)).toMatchObject([
    { collector_name: 'otelcol', version: '0.149.0', status: 'running', state: 'live', connected: true },
  ]);
  expect(await get(`/v1/nodes/${nodeId}`)).toMatchObject({ state: 'live' });
});

test.each([
  ['inventory.node_name', { 'inventory.node_name': 'named-1', 'host.id': 'id-1', 'host.name': 'host-1' }, 'named-1'],
  ['host.id', { 'host.id': 'id-2', 'host.name': 'host-2' }, 'id-2'],
  ['host.name', { 'host.name': 'host-3' }, 'host-3'],
])('with an Editor key, %s names the node, which is added', async (_, attributes, name) => {
  const agent = new OpampAgent(inventory, inventory.keys.Editor);
  const { status } = await agent.send({ agentDescription: describedBy({ 'service.name': 'otelcol' }, attributes) });
  expect(status).toBe(200);
  const { nodes } = await get(`/v1/nodes?name_prefix=${name}`);
  expect(nodes).toMatchObject([{ node_name: name, node_type: 'generic', address: attributes['host.name'] }]);
  expect(await collectorsOf(nodes[0].node_id)).toHaveLength(1);
});

test('the source address replaces a host name that is no address', async () => {
  const agent = new OpampAgent(inventory, inventory.keys.Editor);
  const attributes = { 'inventory.node_name': randomUUID(), 'host.name': '314159265358' };
  expect((await agent.send({ agentDescription: describedBy({}, attributes) })).status).toBe(200);
  const { nodes } = await get(`/v1/nodes?name_prefix=${attributes['inventory.node_name']}`);
  expect(nodes).toMatchObject([{ address: '10.9.9.9' }]);
});

test('an existing node does not change', async () => {
  const name = randomUUID();
  const node = await addNode(inventory, { node_name: name, address: 'db.example.com', custom_labels: { a: 'b' } });
  const agent = new OpampAgent(inventory, inventory.keys.Editor);
  await agent.send({ agentDescription: collector(name) });
  expect(await get(`/v1/nodes/${node.node_id}`)).toMatchObject({ revision: 1, address: 'db.example.com' });
  expect(await collectorsOf(node.node_id)).toHaveLength(1);
});

test('two starts with different uids are one agent, two names on a node are two agents', async () => {
  const { nodeId, key, start } = await host();
  await start();
  const [before] = await collectorsOf(nodeId);
  await new OpampAgent(inventory, key).send({ agentDescription: collector('web-1'), health: healthy });
  expect(await collectorsOf(nodeId)).toMatchObject([{ agent_id: before.agent_id, revision: 1, status: 'running' }]);
  const other = describedBy({ 'service.name': 'gateway' });
  await new OpampAgent(inventory, key).send({ agentDescription: other });
  expect((await collectorsOf(nodeId)).map(({ collector_name: name }: any) => name).sort()).toEqual([
    'gateway',
    'otelcol',
  ]);
});

test('health becomes the status, with its error as the reason', async () => {
  const { nodeId, agent, start } = await host();
  await start();
  await agent.send({ health: { healthy: false, lastError: 'receiver failed:\n\tno route' } });
  expect(await collectorsOf(nodeId)).toMatchObject([
    { status: 'waiting', status_reason: 'receiver failed: no route', version: '0.149.0' },
  ]);
  await agent.send({ health: { healthy: false, lastError: '\u{1f525}'.repeat(300) } });
  expect(Array.from((await collectorsOf(nodeId))[0].status_reason)).toHaveLength(256);
  await agent.send({ health: { healthy: false, lastError: 'https://user:secret@example.com', status: 'Failed' } });
  expect(await collectorsOf(nodeId)).toMatchObject([{ status: 'waiting', status_reason: 'Failed' }]);
  await agent.send({ health: healthy });
  const [shown] = await collectorsOf(nodeId);
  expect(shown).toMatchObject({ status: 'running', revision: 1 });
  expect(shown).not.toHaveProperty('status_reason');
});

test('a disconnect makes the agent stale until its next message', async () => {
  const { nodeId, agent, start } = await host();
  await start();
  await agent.send({ agentDisconnect: {} });
  expect(await collectorsOf(nodeId)).toMatchObject([{ state: 'stale', connected: false }]);
  await agent.send();
  expect(await collectorsOf(nodeId)).toMatchObject([{ state: 'live', connected: true }]);
});

test('an agent that announces its end, in any form, is stale at once with the reason', async () => {
  const ends = [
    [{ agentDisconnect: {} }, 'It was stopped.'],
    [{ agentDisconnect: {}, health: { healthy: false } }, 'It was stopped.'],
    [{ agentDisconnect: {}, health: { healthy: false, lastError: 'no route' } }, 'no route'],
    [{ health: { healthy: false, status: 'StatusStopping' } }, 'It was stopped.'],
    [{ health: { healthy: false } }, 'It was stopped, or is not ready.'],
  ] as const;
  for (const [message, reason] of ends) {
    const { nodeId, agent, start } = await host();
    await start();
    await agent.send(message);
    expect(await collectorsOf(nodeId)).toMatchObject([
      { state: 'stale', connected: false, status: 'waiting', status_reason: reason },
    ]);
    await start();
    const [again] = await collectorsOf(nodeId);
    expect([again.state, again.status, again.status_reason]).toEqual(['live', 'running', undefined]);
  }
});

test('a lost connection, an error, and a start that is not ready leave the status', async () => {
  const { nodeId, agent, start } = await host();
  await agent.send({ agentDescription: collector('web-1'), health: { healthy: false } });
  expect(await collectorsOf(nodeId)).toMatchObject([{ state: 'live', status: 'waiting' }]);
  await start();
  agent.sequence -= 1n;
  await agent.send({ agentDisconnect: {} });
  const [lost] = await collectorsOf(nodeId);
  expect(lost).toMatchObject({ state: 'stale', status: 'running' });
  expect(lost).not.toHaveProperty('status_reason');
  await agent.send({ health: { healthy: false, lastError: 'no route' } });
  expect(await collectorsOf(nodeId)).toMatchObject([{ state: 'live', status_reason: 'no route' }]);
});

test('the end of an older start does not affect a later start', async () => {
  const { nodeId, key, agent, start } = await host();
  pass(0);
  await start();
  pass(1000);
  await new OpampAgent(inventory, key).send({ agentDescription: collector('web-1'), health: healthy });
  pass(1000);
  await agent.send({ health: { healthy: false } });
  expect(await collectorsOf(nodeId)).toMatchObject([{ state: 'live', connected: true, status: 'running' }]);
});

test('a late report of a lost connection does not affect a reconnected agent, under any uid', async () => {
  const { nodeId, key, agent, start } = await host();
  pass(0);
  await start();
  pass(1000);
  const again = new OpampAgent(inventory, key);
  await again.send({ agentDescription: collector('web-1'), health: healthy });
  pass(1000);
  const { status, message } = await agent.send({ agentDisconnect: {} });
  expect([status, message.flags]).toEqual([200, 0n]);
  expect(await collectorsOf(nodeId)).toMatchObject([{ state: 'live', connected: true }]);
  await again.send();
  await again.send();
  again.sequence -= 2n;
  await again.send({ agentDisconnect: {} });
  expect(await collectorsOf(nodeId)).toMatchObject([{ state: 'live', connected: true }]);
  again.sequence += 1n;
  await again.send({ agentDisconnect: {} });
  expect(await collectorsOf(nodeId)).toMatchObject([{ state: 'stale', connected: false }]);
});

test('a late lost connection of a removed agent is no error', async () => {
  const { nodeId, agent, start } = await host();
  await start();
  const [{ agent_id: id }] = await collectorsOf(nodeId);
  await inventory.request('DELETE', `/v1/agents/${id}`);
  expect((await agent.send({ agentDisconnect: {} })).status).toBe(200);
});

test('each reply to a declared agent contains the time of its next report', async () => {
  const { nodeId, agent, start } = await host();
  expect((await agent.send()).headers).not.toHaveProperty('Report-After');
  expect((await start()).headers['Report-After']).toBe('240');
  await inventory.request('PATCH', `/v1/nodes/${nodeId}`, { as: 'Editor', body: { stale_after: '5m' } });
  expect((await agent.send()).headers['Report-After']).toBe('120');
});

test("an agent with the custom capability gets the digest of its host's targets after each change", async () => {
  const { nodeId, key, agent } = await host();
  const targets = 'monitoring-inventory.targets';
  const customCapabilities = { capabilities: ['other', targets] };
  const digest = async () => {
    const reply = await inventory.gateway({
      ...{ method: 'GET', url: '/v1/discovery/prometheus?node=self', sourceIp: '10.9.9.9', body: '' },
      rawHeaders: ['Authorization', `Bearer ${key}`],
    });
    return reply.headers['ETag']?.replaceAll(/^W\/|"/g, '');
  };
  const described = { agentDescription: collector('web-1'), health: healthy };
  const first = (await agent.send({ ...described, customCapabilities })).message;
  expect(first.customCapabilities?.capabilities).toEqual([targets]);
  const learned = ({ customMessage }: typeof first) =>
    customMessage && [customMessage.capability, customMessage.type, Buffer.from(customMessage.data).toString()];
  expect(learned(first)).toEqual([targets, 'targets_hash', await digest()]);
  // Unchanged: no reply repeats it.
  expect(learned((await agent.send()).message)).toBeUndefined();
  const { body: process } = await inventory.request('POST', '/v1/agents', {
    body: { agent_type: 'pmm_agent', runs_on_node_id: nodeId },
  });
  await inventory.request('POST', '/v1/agents', {
    body: { agent_type: 'node_exporter', pmm_agent_id: process.agent_id, listen_port: 9100 },
  });
  const changed = learned((await agent.send()).message);
  expect(changed).toEqual([targets, 'targets_hash', await digest()]);
  expect(changed).not.toEqual(learned(first));
  expect(learned((await agent.send()).message)).toBeUndefined();
  // The full state of a new start, and of one that has no use for it any more.
  expect(learned((await agent.send({ ...described, customCapabilities })).message)).toEqual(changed);
  await agent.send({ ...described, customCapabilities: { capabilities: [] } });
  const plain = (await agent.send(described)).message;
  expect([plain.customCapabilities, plain.customMessage]).toEqual([undefined, undefined]);
});

test("heartbeats keep an agent live, and every second one is stored in the node's heartbeat", async () => {
  const { nodeId, agent, start } = await host();
  await start();
  const times = new Set<string>();
  for (let count = 0; count < 6; count += 1) {
    pass(240_000);
    const { status, message } = await agent.send();
    expect([status, message.flags]).toEqual([200, 0n]);
    const [{ state, status: shown, reported_at: at }] = await collectorsOf(nodeId);
    expect([state, shown]).toEqual(['live', 'running']);
    times.add(at);
  }
  expect(times.size).toBe(3 + 1);
});

test('only the supervisor gets the interval, without credentials', async () => {
  const { start } = await host(capabilities.supervisor);
  const { connectionSettings } = (await start()).message;
  expect(connectionSettings?.opamp).toMatchObject({ heartbeatIntervalSeconds: 240n });
  expect(connectionSettings?.hash).not.toHaveLength(0);
  for (const capabilityBits of [capabilities.extension, capabilities.supervisor | 0x100n]) {
    const other = await host(capabilityBits);
    expect((await other.start()).message.connectionSettings).toBeUndefined();
  }
});

test("the interval follows the node's timers, and a new one is offered without a description", async () => {
  const { nodeId, agent, start } = await host(capabilities.supervisor);
  await start();
  expect((await agent.send()).message.connectionSettings).toBeUndefined();
  await inventory.request('PATCH', `/v1/nodes/${nodeId}`, { as: 'Editor', body: { stale_after: '5m' } });
  const { connectionSettings } = (await agent.send()).message;
  expect(connectionSettings?.opamp?.heartbeatIntervalSeconds).toBe(120n);
  expect((await agent.send()).message.connectionSettings).toBeUndefined();
});

test('with the shortest timers, an agent that follows the interval stays live and within its limit', async () => {
  const { nodeId, agent, start } = await host(capabilities.supervisor);
  await inventory.request('PATCH', `/v1/nodes/${nodeId}`, { as: 'Editor', body: { stale_after: '10s' } });
  pass(0);
  const interval = Number((await start()).message.connectionSettings?.opamp?.heartbeatIntervalSeconds);
  for (let count = 1; count <= 30; count += 1) {
    // Just before the next heartbeat.
    pass(interval * 1000 - 1);
    expect([count, await collectorsOf(nodeId)]).toMatchObject([count, [{ state: 'live' }]]);
    pass(1);
    // With news now and then.
    const health = count % 10 === 0 ? { health: { healthy: count % 20 === 0 } } : {};
    expect([count, (await agent.send(health)).status]).toEqual([count, 200]);
    if (count % 10 === 0) expect((await agent.send()).status).toBe(200);
  }
});

test('an offer is sent once, also to an agent that answers at once', async () => {
  const { agent, start } = await host(capabilities.supervisor | 0x8000n);
  const { connectionSettings } = (await start()).message;
  const lastConnectionSettingsHash = connectionSettings?.hash ?? new Uint8Array();
  for (const description of [undefined, collector('web-1')]) {
    const news = { connectionSettingsStatus: { lastConnectionSettingsHash } };
    const reply = await agent.send({
      ...news,
      ...(description === undefined ? {} : { agentDescription: description }),
    });
    expect(reply.message.connectionSettings).toBeUndefined();
  }
});

test('an unknown start is asked once an hour for its full state', async () => {
  const { agent } = await host();
  expect((await agent.send()).message.flags).toBe(REPORT_FULL_STATE);
  for (let count = 0; count < 5; count += 1) expect((await agent.send()).message.flags).toBe(0n);
  pass(HOUR);
  expect((await agent.send()).message.flags).toBe(REPORT_FULL_STATE);
});

test('a lost message causes one request for the full state, a repeated one none', async () => {
  const { agent, start } = await host();
  await start();
  agent.sequence -= 1n;
  expect((await agent.send()).message.flags).toBe(0n);
  agent.sequence += 3n;
  expect((await agent.send()).message.flags).toBe(REPORT_FULL_STATE);
  agent.sequence += 3n;
  expect((await agent.send()).message.flags).toBe(0n);
});

test('the full state is due once a day', async () => {
  const { agent, start } = await host();
  await start();
  pass(23 * HOUR);
  expect((await agent.send()).message.flags).toBe(0n);
  pass(HOUR);
  expect((await agent.send()).message.flags).toBe(REPORT_FULL_STATE);
  expect((await start()).message.flags).toBe(0n);
  pass(HOUR);
  expect((await agent.send()).message.flags).toBe(0n);
});

test('the eleventh request of a minute is a 429 with the time to wait and without an effect', async () => {
  const { nodeId, agent, start } = await host();
  pass(0);
  await start();
  for (let count = 0; count < 9; count += 1) expect((await agent.send()).status).toBe(200);
  pass(20_000);
  for (let count = 0; count < 20; count += 1) {
    const { status, headers, message } = await agent.send({ health: { healthy: false } });
    expect([status, headers['Retry-After']]).toEqual([429, '40']);
    expect(message.errorResponse).toMatchObject({
      type: 2,
      errorMessage: 'An agent may send 10 requests per minute. Try again in 40 s.',
      retryInfo: { retryAfterNanoseconds: 40_000_000_000n },
    });
  }
  expect(await collectorsOf(nodeId)).toMatchObject([{ status: 'running' }]);
  pass(40_000);
  expect((await agent.send()).status).toBe(200);
});

test('an agent that restarts repeatedly is limited too', async () => {
  const { key } = await host();
  const statuses = new Map<number, number>();
  pass(0);
  for (let count = 0; count < 15; count += 1) {
    const { status } = await new OpampAgent(inventory, key).send({ agentDescription: collector('web-1') });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect([...statuses]).toEqual([
    [200, 10],
    [429, 5],
  ]);
});

test('unknown starts without a description are limited for the key of a host, but not for a key of many hosts', async () => {
  const { key } = await host();
  pass(0);
  const statusesOf = async (of: string) => {
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) statuses.push((await new OpampAgent(inventory, of).send()).status);
    return statuses;
  };
  expect(await statusesOf(key)).toEqual([...Array(10).fill(200), 429, 429]);
  expect(await statusesOf(inventory.keys.Editor)).toEqual(Array(12).fill(200));
});

test('a removed agent is declared again by its next description', async () => {
  const { nodeId, agent, start } = await host();
  await start();
  const [{ agent_id: id }] = await collectorsOf(nodeId);
  expect((await inventory.request('DELETE', `/v1/agents/${id}`)).status).toBe(204);
  expect(await agent.send()).toMatchObject({ status: 200 });
  expect(await collectorsOf(nodeId)).toEqual([]);
  await start();
  expect(await collectorsOf(nodeId)).toMatchObject([{ status: 'running' }]);
});

test('an agent that requests another uid gets one and continues under it', async () => {
  const { nodeId, agent } = await host();
  const { message } = await agent.send({ agentDescription: collector('web-1'), flags: 1n });
  const uid = message.agentIdentification?.newInstanceUid ?? new Uint8Array();
  expect(Buffer.from(uid).toString('hex')).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
  agent.uid = uid;
  expect((await agent.send({ health: healthy })).message).toMatchObject({ flags: 0n });
  expect(await collectorsOf(nodeId)).toMatchObject([{ status: 'running' }]);
});

test.each(['Viewer', 'Relay', 'Gateway'] as const)('a %s may not report by OpAMP', async (role) => {
  const { status } = await new OpampAgent(inventory, inventory.keys[role]).send({ agentDescription: collector('a') });
  expect(status).toBe(403);
});

test('a key neither sees nor changes the agents of another host', async () => {
  const [here, there] = [await host(), await host()];
  await here.start();
  const stranger = new OpampAgent(inventory, there.key);
  stranger.uid = here.agent.uid;
  expect((await stranger.send({ health: { healthy: false } })).message.flags).toBe(REPORT_FULL_STATE);
  expect(await collectorsOf(here.nodeId)).toMatchObject([{ status: 'running' }]);
});

test('gzip is accepted, and a zip bomb is refused', async () => {
  const { nodeId, key, agent } = await host();
  expect((await agent.send({ agentDescription: collector('web-1') }, { gzip: true })).status).toBe(200);
  expect(await collectorsOf(nodeId)).toHaveLength(1);
  const { status, message } = await post(inventory, key, new Uint8Array(64 * 1024 * 1024), { gzip: true });
  expect([status, message.errorResponse?.errorMessage]).toEqual([
    413,
    'The decompressed body must have at most 1048576 bytes.',
  ]);
});

test.each([
  ['no message', () => new Uint8Array([0xff, 0xff]), {}, 400, 'The body is no AgentToServer message.'],
  [
    'fields that take too long to read',
    () => written({ instanceUid: newUid(), agentDescription: describedBy({ a: 'b'.repeat(128 * 1024) }) }),
    {},
    400,
    'Description, health and all else that is read must have at most 131072 bytes.',
  ],
  ['a short uid', () => written({ instanceUid: new Uint8Array(3) }), {}, 400, 'The instance uid must have 16 bytes.'],
  ['no gzip', () => new Uint8Array(9), { 'Content-Encoding': 'gzip' }, 400, 'The body is not valid gzip data.'],
  [
    'an encoding',
    () => new Uint8Array(9),
    { 'Content-Encoding': 'br' },
    415,
    'The only supported Content-Encoding is gzip.',
  ],
  [
    'JSON',
    () => new Uint8Array(9),
    { 'Content-Type': 'application/json' },
    415,
    'Send the body as application/x-protobuf, uncompressed or as gzip.',
  ],
])('%s is refused with a sentence in a protocol message', async (_, bytes, headers, status, sentence) => {
  const reply = await post(inventory, inventory.keys.Editor, bytes(), { headers });
  expect(reply.status).toBe(status);
  expect(reply.message.errorResponse).toMatchObject({ type: 1, errorMessage: sentence });
});

test('a key without a node cannot send a description without a node', async () => {
  const agent = new OpampAgent(inventory, inventory.keys.Editor);
  const { status, message } = await agent.send({ agentDescription: describedBy({ 'service.name': 'otelcol' }) });
  expect([status, message.errorResponse?.errorMessage]).toEqual([
    400,
    'State the node: set the attribute inventory.node_name, or report host.id or host.name.',
  ]);
});

test("the table does not contain the agent's configuration", async () => {
  const { key } = await host();
  const canary = 'canary-of-a-configuration';
  // effective_config = 6, config_map = 1, config_map = 1 of it, body = 1.
  const nested = [1, 2, 1, 1, 6].reduce<Buffer>(
    (inner, field) => Buffer.concat([Buffer.from([(field << 3) | 2, inner.length]), inner]),
    Buffer.from(canary),
  );
  const uid = newUid();
  const bytes = Buffer.concat([written({ instanceUid: uid, agentDescription: collector('web-1') }), nested]);
  expect((await post(inventory, key, bytes)).status).toBe(200);
  const { Items = [] } = await inventory.table.client.send(new ScanCommand({ TableName: inventory.table.name }));
  const all = JSON.stringify(Items);
  expect(all).toContain(Buffer.from(uid).toString('hex'));
  expect(all).not.toContain(canary);
  expect(JSON.stringify(inventory.logged)).not.toContain(canary);
});
