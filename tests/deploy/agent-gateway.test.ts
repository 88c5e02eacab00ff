import { readFile } from 'node:fs/promises';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { CreateSecretCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { bundleContainer } from '../../infra/assets/assets.ts';
import { PmmAgent } from '../support/pmm-agent.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { https } from '../support/https.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { Account } from './aws.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import {
  type ContainerDefinition,
  containerDefinition,
  runTask,
  startCredentials,
  type Task,
} from './container-task.ts';
import { assertEmulator } from './guard.ts';
import { type MiniStack, startMiniStack } from './ministack.ts';
import { pathOf } from './programs.ts';

const LIMIT_MS = 600_000;
const BUCKET = 'assets-of-us-east-1';
const FILE = 'agent-gateway.mjs';
const CREDENTIALS = '/v2/credentials/task';
const password = 'correct horse battery canary';
const admin = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;

const program = await pathOf('ministack');

let folder: string;
let server: RunningServer;
let ministack: MiniStack;
let account: Account;
let secrets: SecretsManagerClient;
let secretArn: string;
let credentials: Awaited<ReturnType<typeof startCredentials>>;
let definition: ContainerDefinition;
let balancer: Balancer;
const tasks = new Set<Task>();
const agents = new Set<PmmAgent>();

/** Repetitions of a request that a busy machine has refused (503). */
const MAX_REPEATS = 60;

async function call(method: string, path: string, body?: object): Promise<any> {
  // A key that is made a second time does no harm.
  const isAdd = method === 'POST' && path !== '/v1/api-keys';
  const idempotency = isAdd ? { 'Idempotency-Key': crypto.randomUUID() } : {};
  const options = { headers: { Authorization: admin, ...idempotency }, ...(body === undefined ? {} : { body }) };
  let reply = await https(server.base, method, path, options);
  for (let repeats = 0; reply.status === 503 && repeats < MAX_REPEATS; repeats += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    reply = await https(server.base, method, path, options);
  }
  expect([method, path, Math.floor(reply.status / 100)]).toEqual([method, path, 2]);
  return reply.body;
}

const newKey = async (role: string): Promise<string> =>
  (await call('POST', '/v1/api-keys', { name: crypto.randomUUID(), role })).key;

beforeAll(async () => {
  folder = await newDataDir();
  ministack = await startMiniStack(program);
  const { endpoint } = ministack;
  account = new Account(endpoint);
  assertEmulator({ endpoint, account: await account.accountId() });
  server = await startServer(join(folder, 'data'), { environment: { ADMIN_PASSWORD: password } });
  await bundleContainer(join(folder, 'bundles'));
  definition = containerDefinition(join(folder, 'bundles'));
  await account.createBucket(BUCKET);
  await account.putFile(BUCKET, FILE, await readFile(join(folder, 'bundles/agentGateway/index.mjs')));
  const testCredentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  secrets = new SecretsManagerClient({ endpoint, region: 'us-east-1', credentials: testCredentials });
  secretArn = (await secrets.send(new CreateSecretCommand({ Name: 'gateway', SecretString: 'none yet' }))).ARN!;
  credentials = await startCredentials(CREDENTIALS);
  const [cert, key] = await Promise.all(
    ['tls-cert.pem', 'tls-key.pem'].map((name) => readFile(join(folder, 'data', name), 'utf8')),
  );
  balancer = await startBalancer({ cert: cert!, key: key! });
}, LIMIT_MS);

afterAll(async () => {
  for (const agent of agents) agent.close();
  await Promise.all([...tasks].map((task) => task.stop('SIGKILL')));
  await balancer.close();
  credentials.close();
  await server.stop();
  await ministack.stop();
  await removeDataDir(folder);
}, LIMIT_MS);

/** Template values that depend on resources, with this machine's addresses instead of AWS's. */
function environmentOf({ environment }: ContainerDefinition): Record<string, string> {
  const resources = {
    API_URL: server.base,
    MAIN_URL: server.base,
    KEY_SECRET_ARN: secretArn,
    BUNDLE_BUCKET: BUCKET,
    BUNDLE_KEY: FILE,
    AWS_REGION: 'us-east-1',
    URL_SUFFIX: 'amazonaws.com',
    METRICS_NAMESPACE: 'MonitoringInventory-test',
  };
  const fixed = Object.entries(environment).filter(([, value]) => typeof value === 'string');
  const others = Object.keys(environment).filter((name) => typeof environment[name] !== 'string');
  // The template gives a value to every variable that the program needs, and to no other one.
  expect(Object.keys(resources)).toEqual(expect.arrayContaining(others));
  return {
    ...(Object.fromEntries(fixed) as Record<string, string>),
    ...resources,
    // Two containers of one machine.
    ...{ HOST: '127.0.0.1', PORT: '0', HEALTH_PORT: '0' },
    // ECS serves the credentials at an address of its own, and AWS has certificates that every client knows.
    ...{ AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: CREDENTIALS, CREDENTIALS_HOST: credentials.url },
    ...{ AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' },
    ...{ AWS_ENDPOINT_URL_S3: ministack.endpoint, AWS_ENDPOINT_URL_SECRETS_MANAGER: ministack.endpoint },
    NODE_EXTRA_CA_CERTS: join(folder, 'data', 'tls-cert.pem'),
    DRAIN_SECONDS: '5',
  };
}

async function startTask(): Promise<Task> {
  const task = await runTask(definition.command, environmentOf(definition));
  tasks.add(task);
  balancer.targets.add(task);
  return task;
}

async function until<T>(read: () => Promise<T> | T, isTrue: (value: T) => boolean): Promise<T> {
  for (const end = Date.now() + 120_000; ;) {
    const value = await read();
    if (isTrue(value)) return value;
    if (Date.now() > end) throw new Error(`still ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const whenHealthy = (count: number) =>
  until(
    () => balancer.healthy().length,
    (number) => number === count,
  );

/** An agent of a host of its own that connects again whenever its stream ends, as pmm-agent does. */
class Agent {
  readonly nodeId: string;
  readonly id: string;
  /** Ends of its streams. */
  readonly ends: { code: number; message: string }[] = [];
  streams = 0;
  current: PmmAgent | undefined;

  constructor(generation: 2 | 3, nodeId: string, id: string, key: string) {
    [this.nodeId, this.id] = [nodeId, id];
    void this.#run(generation, key);
  }

  async #run(generation: 2 | 3, key: string): Promise<void> {
    for (;;) {
      const headerId = generation === 2 ? `/agent_id/${this.id}` : this.id;
      const agent = new PmmAgent({ port: balancer.port, generation, id: headerId, authorization: `Bearer ${key}` });
      agents.add(agent);
      void agent.connected.then(() => {
        this.current = agent;
        this.streams += 1;
      });
      this.ends.push(await agent.ended);
      this.current = undefined;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }

  static async start(generation: 2 | 3): Promise<Agent> {
    const node = { node_type: 'generic', node_name: crypto.randomUUID(), address: '10.0.0.1' };
    const { node_id: nodeId } = await call('POST', '/v1/nodes', node);
    const { agent_id: id } = await call('POST', '/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: nodeId });
    return new Agent(generation, nodeId, id, await newKey('Editor'));
  }

  async state(): Promise<string> {
    return (await call('GET', `/v1/nodes/${this.nodeId}`)).state;
  }

  /** Waits until it is connected and live. */
  async served(streams: number): Promise<void> {
    await until(
      () => [this.streams, this.current !== undefined],
      ([count, isConnected]) => Number(count) >= streams && isConnected === true,
    );
    await until(
      () => this.state(),
      (state) => state === 'live',
    );
  }
}

/** A PMM client's request to the agents' address. */
async function callGateway(path: string): Promise<{ status: number; body: string }> {
  const reply = await new Promise<any>((resolve, reject) => {
    const options = { headers: { Authorization: admin }, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] };
    httpsRequest(`https://127.0.0.1:${balancer.port}${path}`, options, resolve).on('error', reject).end();
  });
  return { status: reply.statusCode, body: await text(reply) };
}

test(
  "the task's command serves both generations behind a balancer, without a loss when containers end",
  async () => {
    const [first, second] = await Promise.all([startTask(), startTask()]);
    await whenHealthy(2);
    for (const { output } of [first, second]) expect(output()).not.toContain('unhandled');
    const hosts = await Promise.all(([2, 3, 2, 3] as const).map((generation) => Agent.start(generation)));
    // The operator stores the key after the deployment. Until then agents are refused, and the containers stay.
    await until(
      () => hosts.map(({ ends }) => ends.length),
      (counts) => counts.every((count) => count > 0),
    );
    const key = await newKey('Gateway');
    await secrets.send(new PutSecretValueCommand({ SecretId: secretArn, SecretString: key }));
    for (const host of hosts) await host.served(1);

    // A change arrives, whichever container holds the stream.
    for (const { id } of hosts) await call('POST', '/v1/agents', { agent_type: 'node_exporter', pmm_agent_id: id });
    for (const host of hosts)
      await until(
        () => host.current?.exporters.size,
        (running) => running === 1,
      );

    // The same host name serves the calls of pmm-admin.
    expect(JSON.parse((await callGateway('/v1/inventory/nodes')).body)).toHaveProperty('generic');
    expect((await callGateway('/v1/nodes')).status).toBe(421);

    // A deployment: the new container first, then one of the others is taken out of the balancer and ends.
    const third = await startTask();
    await whenHealthy(3);
    const before = hosts.map(({ ends }) => ends.length);
    balancer.targets.delete(first);
    expect(await first.stop('SIGTERM')).toBe(0);
    for (const host of hosts) await host.served(1);
    const moved = hosts.map(({ ends }, index) => ends.slice(before[index]));
    // Each stream ended at most once, in order, and some of them were there.
    for (const ends of moved)
      expect([[], [{ code: 14, message: 'The server stops. Try again.' }]]).toContainEqual(ends);
    expect(moved.flat().length).toBeGreaterThan(0);

    // A container is killed: its agents return by the other one, with what they are to run.
    const killed = hosts.map(({ ends }) => ends.length);
    expect(await second.stop('SIGKILL')).toBe('SIGKILL');
    balancer.targets.delete(second);
    expect(balancer.healthy()).toEqual([third]);
    for (const host of hosts) {
      await host.served(1);
      await until(
        () => host.current?.exporters.size,
        (running) => running === 1,
      );
    }
    const lost = hosts.map(({ ends }, index) => ends.slice(killed[index])).flat();
    expect(lost.length).toBeGreaterThan(0);

    for (const task of tasks) for (const secret of [key, password]) expect(task.output()).not.toContain(secret);
  },
  LIMIT_MS,
);

test(
  'a file other than the deployed one does not run',
  async () => {
    await account.putFile(BUCKET, 'other.mjs', Buffer.from('process.stdout.write("other")'));
    const environment = { ...environmentOf(definition), BUNDLE_KEY: 'other.mjs' };
    await expect(runTask(definition.command, environment)).rejects.toThrow(
      'The file in the bucket is not the one that was deployed.',
    );
  },
  LIMIT_MS,
);
