/** Real clients of OpAMP with the documented configurations: the collector, the supervisor, and the client of opamp-go. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bearer, bodyOf, type Client, clientOf, makeKeys, PASSWORD } from '../end-to-end/client.ts';
import { eventually } from '../end-to-end/processes.ts';
import { startGateway } from '../support/container.ts';
import { newDataDir, removeDataDir, type RunningServer, startServer } from '../support/server.ts';
import { type Program, programPath } from './programs.ts';

let folder: string;
let server: RunningServer;
let admin: Client;
beforeAll(async () => {
  folder = await newDataDir();
  server = await startServer(join(folder, 'data'), { environment: { ADMIN_PASSWORD: PASSWORD } });
  const { session } = await makeKeys(server);
  admin = clientOf(server, bearer(session));
});

const running: ChildProcess[] = [];
const outputs = new Map<ChildProcess, string>();

/** Starts a program, whose output is part of a failure. */
function start(program: Program, args: readonly string[]): ChildProcess {
  const child = spawn(programPath(program), args, { stdio: ['pipe', 'pipe', 'pipe'], cwd: folder, detached: true });
  running.push(child);
  outputs.set(child, '');
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => outputs.set(child, (outputs.get(child) ?? '') + chunk.toString()));
  return child;
}

/** Sends a signal to the group of a program: the supervisor leaves its collector behind. */
function signal(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, name);
  } catch {
    // All of the group have ended.
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    signal(child, 'SIGTERM');
    await exited;
  }
  signal(child, 'SIGKILL');
}

afterEach(() => Promise.all(running.splice(0).map(stop)));
afterAll(async () => {
  await server.stop();
  await removeDataDir(folder);
});

/** A node, and the file with the credential of its host. */
async function enrolled(name: string, timers: object = {}): Promise<{ nodeId: string; credential: string }> {
  const body = { name, allowed_addresses: ['10.0.0.1'] };
  const { token } = bodyOf(await admin('POST', '/v1/enrolment-tokens', { body }), 201);
  const node = { node_type: 'generic', node_name: name, address: '10.0.0.1', ...timers };
  const own = bodyOf(await clientOf(server)('POST', '/v1/enrolment', { body: { token, node } }), 201);
  const credential = join(folder, `${name}.authorization`);
  await writeFile(credential, bearer(own.api_key.key), { mode: 0o600 });
  return { nodeId: own.node.node_id, credential };
}

const certificate = () => join(folder, 'data', 'tls-cert.pem');
const endpoint = () => `${server.base}/v1/opamp`;

/** The documented configuration that begins with this comment, for this host. */
async function documentedConfig(
  file: string,
  credential: string,
  others: readonly (readonly [string, string])[] = [],
  address = endpoint(),
) {
  const text = await readFile(new URL('../../docs/connect-agents.md', import.meta.url), 'utf8');
  const blocks = [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  const documented = blocks.find((block) => block.startsWith(`# ${file}\n`)) ?? '';
  const [documentedAddress = ''] = /\w+:\/\/inventory\.example\.com\/v1\/opamp/.exec(documented) ?? [];
  const replacements: [string, string][] = [
    [documentedAddress, address],
    ['/etc/otelcol/inventory-ca.pem', certificate()],
    ['/etc/otelcol/inventory-authorization', credential],
  ];
  const config = [...replacements, ...others].reduce((all, [from, to]) => {
    if (all.split(from).length !== 2) throw new Error(`not once in the documented configuration: ${from}`);
    return all.replace(from, to);
  }, documented);
  const path = `${credential}.${file}`;
  await writeFile(path, config);
  return path;
}

/** The collectors of a node, once they are as `isDone` demands. */
async function collectorsOf(nodeId: string, isDone: (agents: any[]) => boolean, child: ChildProcess): Promise<any[]> {
  let agents: any[] = [];
  const path = `/v1/agents?runs_on_node_id=${nodeId}&agent_type=otel_collector&include=state`;
  await eventually(async () => {
    agents = bodyOf(await admin('GET', path), 200).agents;
    return isDone(agents);
  }).catch((error: unknown) => {
    throw new Error(`${JSON.stringify(agents)}\n${outputs.get(child)}`, { cause: error });
  });
  return agents;
}

/** Timers with the shortest interval, 7 s, at which every heartbeat is stored. */
const SHORT_TIMERS = { stale_after: '10s' };

/** The interval of a client itself is 30 s at least. */
const OWN_INTERVAL_MS = 30_000;

/** Reports in a row: more than those of a start, and in less time than heartbeats at the interval of the client. */
const REPORTS_IN_A_ROW = 6;

async function reportsOften(nodeId: string, agentId: string, child: ChildProcess): Promise<void> {
  const times: number[] = [];
  await eventually(async () => {
    const { reported_at: at } = bodyOf(await admin('GET', `/v1/agents/${agentId}`), 200);
    if (Date.parse(at) !== times.at(-1)) times.push(Date.parse(at));
    const [latest = 0, first = NaN] = [times.at(-1), times.at(-REPORTS_IN_A_ROW)];
    return latest - first < OWN_INTERVAL_MS * 3;
  }).catch((error: unknown) => {
    throw new Error(`${nodeId} at ${times.join()}\n${outputs.get(child)}`, { cause: error });
  });
}

const isHealthy = ([agent]: any[]) => agent?.status === 'running';
const isLive = (agents: any[]) => isHealthy(agents) && agents[0].state === 'live';

test('the collector registers with its version and health; two starts are one agent', async () => {
  const { nodeId, credential } = await enrolled('collector-1', { stale_after: '10s' });
  const config = await documentedConfig('collector.yaml', credential, quiet);
  const first = start('collector', ['--config', config]);
  const [agent] = await collectorsOf(nodeId, isLive, first);
  expect(agent).toMatchObject({ collector_name: 'otelcol', version: '0.149.0', connected: true });
  // Its last message, that it is not healthy, is cancelled on a busy machine.
  await stop(first);
  await collectorsOf(nodeId, ([one]) => one.state === 'stale', first);
  const second = start('collector', ['--config', config]);
  const agents = await collectorsOf(nodeId, isLive, second);
  expect(agents).toMatchObject([{ agent_id: agent.agent_id, revision: 1 }]);
});

/** Without its own metrics, which are at a fixed port. */
const quiet = [['service:\n', 'service:\n  telemetry: { metrics: { level: none } }\n']] as const;

/** The collector sends no heartbeats. It is live as long as it is connected, also after `stale_after`. */
async function staysLive(nodeId: string, child: ChildProcess): Promise<void> {
  const [{ reported_at: first }] = await collectorsOf(nodeId, isLive, child);
  await collectorsOf(nodeId, ([one]) => Date.parse(one.reported_at) - Date.parse(first) > 25_000, child);
  await collectorsOf(nodeId, isLive, child);
}

test('the collector registers over a WebSocket with TLS, stays live without a message, and is stale after its end', async () => {
  const { nodeId, credential } = await enrolled('collector-2', { stale_after: '20s' });
  const address = endpoint().replace('https:', 'wss:');
  const config = await documentedConfig('collector-websocket.yaml', credential, quiet, address);
  const child = start('collector', ['--config', config]);
  const [agent] = await collectorsOf(nodeId, isLive, child);
  expect(agent).toMatchObject({ collector_name: 'otelcol', version: '0.149.0', connected: true });
  await staysLive(nodeId, child);
  await stop(child);
  await collectorsOf(nodeId, ([one]) => one.state === 'stale', child);
});

/** A collector that runs and collects nothing. The supervisor adds the extension for OpAMP. */
const COLLECTOR_CONFIG = `
receivers: { nop: }
exporters: { nop: }
service:
  pipelines: { metrics: { receivers: [nop], exporters: [nop] } }
  telemetry: { metrics: { level: none } }
`;

/** Starts the supervisor with the documented configuration, and a collector without metrics at a fixed port. */
async function startSupervisor(credential: string, address?: string): Promise<ChildProcess> {
  const collectorConfig = `${credential}.agent.yaml`;
  await writeFile(collectorConfig, COLLECTOR_CONFIG);
  const others = [
    ['/usr/local/bin/otelcol', `${programPath('collector')}\n  passthrough_logs: true`],
    ['/etc/otelcol/config.yaml', collectorConfig],
    ['/var/lib/otelcol/supervisor', `${credential}.supervisor`],
  ] as const;
  return start('supervisor', ['--config', await documentedConfig('supervisor.yaml', credential, others, address)]);
}

test.each(['https:', 'wss:'])(
  'the supervisor registers its collector by %s, and takes the interval',
  async (scheme) => {
    const { nodeId, credential } = await enrolled(`supervisor-${scheme.replace(':', '')}`, SHORT_TIMERS);
    const child = await startSupervisor(credential, endpoint().replace('https:', scheme));
    const [agent] = await collectorsOf(nodeId, isHealthy, child);
    expect(agent).toMatchObject({ collector_name: 'otelcol', version: '0.149.0', connected: true });
    await reportsOften(nodeId, agent.agent_id, child);
  },
);

test('the collector registers through the gateway of the container, by WebSocket and by HTTP, and returns to another one', async () => {
  const gatewayKey = join(folder, 'gateway.key');
  const { key } = bodyOf(await admin('POST', '/v1/api-keys', { body: { name: 'gateway', role: 'Gateway' } }), 201);
  await writeFile(gatewayKey, key, { mode: 0o600 });
  const startOne = (port: number) =>
    startGateway({
      API_URL: server.base,
      KEY_FILE: gatewayKey,
      NODE_EXTRA_CA_CERTS: certificate(),
      DRAIN_SECONDS: '1',
      PORT: String(port),
    });
  let gateway = await startOne(0);
  const { port } = gateway;
  try {
    const { nodeId, credential } = await enrolled('collector-3', { stale_after: '20s' });
    const websocket = await documentedConfig(
      'collector-websocket.yaml',
      credential,
      quiet,
      `ws://127.0.0.1:${port}/v1/opamp`,
    );
    const child = start('collector', ['--config', websocket]);
    await collectorsOf(nodeId, isLive, child);
    await staysLive(nodeId, child);
    // Its connection ends, and the collector connects again.
    expect(await gateway.stop()).toBe(0);
    gateway = await startOne(port);
    await staysLive(nodeId, child);
    await stop(child);
    const polling = await enrolled('collector-4', { stale_after: '10s' });
    const address = `http://127.0.0.1:${port}/v1/opamp`;
    const config = await documentedConfig('collector.yaml', polling.credential, quiet, address);
    await collectorsOf(polling.nodeId, isHealthy, start('collector', ['--config', config]));
  } finally {
    await gateway.stop();
  }
});

test.each([
  ['https:', 'compressed bodies'],
  ['wss:', 'a WebSocket'],
])('the client of opamp-go registers by %s with %s, and takes the interval of the service', async (scheme) => {
  const { nodeId, credential } = await enrolled(`client-${scheme.replace(':', '')}`, SHORT_TIMERS);
  const child = start('client', [endpoint().replace('https:', scheme), certificate(), credential, 'backup']);
  const [agent] = await collectorsOf(nodeId, ([one]) => one?.status === 'waiting', child);
  expect(agent).toMatchObject({ collector_name: 'backup', version: '1.2.3', status_reason: 'not ready' });
  await reportsOften(nodeId, agent.agent_id, child);
  const exited = once(child, 'exit');
  child.stdin?.end();
  await exited;
  // Its last poll may be cut off by the end.
  expect(child.exitCode).toBe(0);
  // On a WebSocket it says that it ends.
  if (scheme === 'wss:') await collectorsOf(nodeId, ([one]) => one.connected === false, child);
});

test('a client with an invalid key registers nothing, and can tell why', async () => {
  const { nodeId } = await enrolled('client-2');
  const credential = join(folder, 'invalid');
  await writeFile(credential, bearer('minv_invalid'));
  const child = start('client', [endpoint(), certificate(), credential, 'backup']);
  await eventually(() => (outputs.get(child) ?? '').includes('401'));
  await collectorsOf(nodeId, (agents) => agents.length === 0, child);
});
