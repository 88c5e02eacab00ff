import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type RunningGateway, startGateway } from '../support/container.ts';
import { type AgentOptions, PmmAgent } from '../support/pmm-agent.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { https } from '../support/https.ts';
import { type RunningServer, startServer } from '../support/server.ts';

const password = 'correct horse battery canary';
const admin = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;

let folder: string;
let server: RunningServer;
let keyFile: string;
const gateways = new Set<RunningGateway>();
const agents = new Set<PmmAgent>();

async function call(method: string, path: string, body?: object, authorization = admin): Promise<any> {
  const reply = await https(server.base, method, path, {
    headers: { Authorization: authorization },
    ...(body === undefined ? {} : { body }),
  });
  expect([method, path, Math.floor(reply.status / 100)]).toEqual([method, path, 2]);
  return reply.body;
}

const newKey = (role: string) => call('POST', '/v1/api-keys', { name: crypto.randomUUID(), role });

beforeAll(async () => {
  folder = await newDataDir();
  server = await startServer(folder, { environment: { ADMIN_PASSWORD: password } });
  keyFile = join(folder, 'gateway.key');
  await writeFile(keyFile, (await newKey('Gateway')).key);
}, 120_000);
afterEach(async () => {
  for (const agent of agents) agent.close();
  await Promise.all([...gateways].map((gateway) => gateway.stop('SIGKILL')));
  agents.clear();
  gateways.clear();
});
afterAll(async () => {
  await server.stop();
  await removeDataDir(folder);
});

async function gateway(more: Record<string, string> = {}): Promise<RunningGateway> {
  const started = await startGateway({
    API_URL: server.base,
    KEY_FILE: keyFile,
    NODE_EXTRA_CA_CERTS: join(folder, 'tls-cert.pem'),
    DRAIN_SECONDS: '2',
    FEED_SECONDS: '1',
    ...more,
  });
  gateways.add(started);
  return started;
}

async function until<T>(read: () => Promise<T> | T, isTrue: (value: T) => boolean): Promise<T> {
  for (const end = Date.now() + 60_000; ;) {
    const value = await read();
    if (isTrue(value)) return value;
    if (Date.now() > end) throw new Error(`still ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function start(at: RunningGateway, options: Pick<AgentOptions, 'id' | 'authorization'>): PmmAgent {
  const agent = new PmmAgent({ port: at.port, generation: 3, plain: true, ...options });
  agents.add(agent);
  return agent;
}

/** A host with an agent process, and a key for it. */
async function host() {
  const node = { node_type: 'generic', node_name: crypto.randomUUID(), address: '10.0.0.1' };
  const { node_id: nodeId } = await call('POST', '/v1/nodes', node);
  const { agent_id: id } = await call('POST', '/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: nodeId });
  return { nodeId, id, authorization: `Bearer ${(await newKey('Editor')).key}` };
}

const stateOf = async (nodeId: string) => (await call('GET', `/v1/nodes/${nodeId}`)).state;
const healthOf = async ({ healthPort }: RunningGateway) =>
  (await fetch(`http://127.0.0.1:${healthPort}/healthz`)).status;

test('an agent connects through the program, follows changes, and moves when its gateway ends', async () => {
  const [first, second] = await Promise.all([gateway(), gateway()]);
  await until(
    () => healthOf(first),
    (status) => status === 200,
  );
  const { nodeId, id, authorization } = await host();
  const agent = start(first, { id, authorization });
  await agent.connected;
  await until(
    () => stateOf(nodeId),
    (state) => state === 'live',
  );
  const exporter = await call('POST', '/v1/agents', { agent_type: 'node_exporter', pmm_agent_id: id });
  await until(
    () => agent.exporters.size,
    (running) => running === 1,
  );
  await until(
    () => call('GET', `/v1/agents/${exporter.agent_id}`),
    ({ status }) => status === 'running',
  );
  const stopped = first.stop();
  expect(await agent.ended).toEqual({ code: 14, message: 'The server stops. Try again.' });
  const moved = start(second, { id, authorization });
  await moved.connected;
  expect(await stopped).toBe(0);
  await until(
    () => moved.exporters.size,
    (running) => running === 1,
  );
  expect(await stateOf(nodeId)).toBe('live');
}, 180_000);

test('a host that reconnects to another gateway stays live, others become stale', async () => {
  const [first, second] = await Promise.all([gateway(), gateway()]);
  const [returning, lost] = [await host(), await host()];
  const before = [returning, lost].map((credential) => start(first, credential));
  await Promise.all(before.map(({ connected }) => connected));
  for (const { nodeId } of [returning, lost])
    await until(
      () => stateOf(nodeId),
      (state) => state === 'live',
    );
  for (const agent of before) agent.close();
  await start(second, returning).connected;
  await until(
    () => stateOf(lost.nodeId),
    (state) => state === 'stale',
  );
  expect(await stateOf(returning.nodeId)).toBe('live');
}, 180_000);

test('a killed gateway leaves nothing behind, and the agent connects to the other one', async () => {
  const [first, second] = await Promise.all([gateway(), gateway()]);
  const { nodeId, ...credential } = await host();
  const agent = start(first, credential);
  await agent.connected;
  expect(await first.stop('SIGKILL')).toBe('SIGKILL');
  expect(await agent.ended).toMatchObject({ code: -1 });
  await start(second, credential).connected;
  await until(
    () => stateOf(nodeId),
    (state) => state === 'live',
  );
}, 180_000);

test('a drain ends each stream once, in sequence, and the program is not ready in the meantime', async () => {
  const running = await gateway({ DRAIN_SECONDS: '20' });
  const hosts = await Promise.all([host(), host()]);
  const connected = hosts.map((each) => start(running, each));
  await Promise.all(connected.map((agent) => agent.connected));
  let ended = 0;
  const ends = connected.map(async (agent) => {
    const end = await agent.ended;
    ended += 1;
    return end;
  });
  const stopped = running.stop();
  await Promise.race(ends);
  expect(ended).toBe(1);
  expect(await healthOf(running)).toBe(503);
  const end = { code: 14, message: 'The server stops. Try again.' };
  expect(await Promise.all(ends)).toEqual([end, end]);
  expect(await stopped).toBe(0);
}, 180_000);

test('a wrong key serves nobody, and one that is stored later is used without a restart', async () => {
  const path = join(folder, 'other.key');
  const wrong = (await newKey('Gateway')) as { key: string; key_id: string };
  await call('DELETE', `/v1/api-keys/${wrong.key_id}`);
  await writeFile(path, wrong.key);
  const running = await gateway({ KEY_FILE: path });
  const { nodeId: _, ...credential } = await host();
  expect(await start(running, credential).ended).toMatchObject({ code: 16 });
  expect(await healthOf(running)).toBe(503);
  await writeFile(path, (await newKey('Gateway')).key);
  await until(
    () => healthOf(running),
    (status) => status === 200,
  );
  await start(running, credential).connected;
  for (const secret of [wrong.key, credential.authorization.slice(7), password])
    expect(running.output()).not.toContain(secret);
}, 180_000);

test('calls of PMM clients are forwarded, and others refused', async () => {
  const running = await gateway();
  const { authorization } = await host();
  const send = (path: string) =>
    fetch(`http://127.0.0.1:${running.port}${path}`, { headers: { authorization }, redirect: 'manual' });
  expect(await (await send('/v1/inventory/nodes')).json()).toHaveProperty('generic');
  expect((await send('/v1/nodes')).status).toBe(421);
}, 180_000);

/** Secrets Manager with one secret: versions, labels, and the refusal of a second value of a version. */
async function secretManager(initial: string): Promise<{ server: Server; url: string; text: () => string }> {
  const versions = new Map([['00000000-0000-4000-8000-000000000001', { text: initial, at: 1_000_000_000 }]]);
  let current = [...versions.keys()][0]!;
  const emulator = createServer((request, response) => {
    void text(request).then((body) => {
      const input = JSON.parse(body);
      const fail = () =>
        response.writeHead(400).end(JSON.stringify({ __type: 'ResourceExistsException', message: 'exists' }));
      if (request.headers['x-amz-target'] === 'secretsmanager.PutSecretValue') {
        const id = input.ClientRequestToken;
        if (versions.has(id)) return fail();
        versions.set(id, { text: input.SecretString, at: Date.now() / 1000 });
        if (input.VersionStages === undefined) current = id;
      }
      const { text: SecretString, at } = versions.get(current)!;
      return response.end(JSON.stringify({ ARN: 'arn', VersionId: current, SecretString, CreatedDate: at }));
    });
  });
  await once(emulator.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(emulator.address() as AddressInfo).port}`;
  return { server: emulator, url, text: () => versions.get(current)!.text };
}

test('gateways rotate an old key in Secrets Manager once, and all continue', async () => {
  const initial = (await newKey('Gateway')).key;
  const secrets = await secretManager(initial);
  try {
    const environment = {
      KEY_SECRET_ARN: 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:x',
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'a',
      AWS_SECRET_ACCESS_KEY: 'b',
      KEY_FILE: '',
    };
    const [first, second] = await Promise.all([gateway(environment), gateway(environment)]);
    const rotated = () =>
      [first, second].filter((gatewayProcess) => gatewayProcess.output().includes('key of the gateway was rotated'));
    await until(
      () => rotated().length,
      (count) => count > 0,
    );
    expect(secrets.text()).not.toBe(initial);
    const rotatedKey = secrets.text();
    for (const gatewayProcess of [first, second]) {
      const { nodeId: _, ...credential } = await host();
      await start(gatewayProcess, credential).connected;
      expect(gatewayProcess.output()).not.toContain(initial);
      expect(gatewayProcess.output()).not.toContain(rotatedKey);
    }
    expect([rotated().length, secrets.text()]).toEqual([1, rotatedKey]);
    // The new key is that of the same gateway, and permits the same.
    expect(await call('GET', '/v1/nodes', undefined, `Bearer ${rotatedKey}`)).toHaveProperty('nodes');
  } finally {
    secrets.server.close();
    secrets.server.closeAllConnections();
  }
}, 180_000);
