import { App, CliCredentialsStackSynthesizer, type IStackSynthesizer, Stack } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { OWNER_LABEL } from '../../clients/cdk/src/ownership.ts';
import { build } from 'esbuild';
import { clientEntryPoints } from '../../infra/assets/assets.ts';
import { bundleOptions } from '../../infra/assets/bundle.ts';
import type { Assets } from '../../infra/assets/stored-assets.ts';
import { InventoryAgent, InventoryFleet, InventoryNode, InventoryService } from '../../infra/library.ts';
import { interfaceOf } from '../../infra/settings/interface-of.ts';
import { bearer, type Client, clientOf, makeKeys, PASSWORD } from '../end-to-end/client.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { buildCommandLine } from '../../tools/package-cli.ts';
import { Account } from './aws.ts';
import { deployerEnvironment } from './cdk.ts';
import { assertEmulator } from './guard.ts';
import { type MiniStack, startMiniStack } from './ministack.ts';
import { run } from './processes.ts';
import { pathOf } from './programs.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';

const LIMIT_MS = 600_000;
const BUCKET = 'assets-of-us-east-1';
const STACK = 'Shop';

const program = await pathOf('ministack');
const aws = await pathOf('aws');

let home: string;
let ministack: MiniStack;
let account: Account;
let server: RunningServer;
let relay: Server;
let api: Client;
let key: string;
let assets: Assets;
let inventory: { url: string; ca: string };
const uploaded = new Set<string>();
const templates: string[] = [];

/** Passes requests on to the server: the emulator sends all requests of functions to this machine without TLS. */
async function startRelay(base: string): Promise<Server> {
  const started = createServer((request, response) => {
    const { method, headers, url } = request;
    const onward = httpsRequest(`${base}${url}`, { method, headers, rejectUnauthorized: false }, (reply) => {
      response.writeHead(reply.statusCode!, reply.headers);
      reply.pipe(response);
    });
    onward.once('error', () => response.destroy());
    request.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(started, 'listening');
  return started;
}

/** Runs the commands of docs/cdk.md that make a key and store it. */
async function makeSecret(environment: Record<string, string>): Promise<void> {
  const document = await readFile(new URL('../../docs/cdk.md', import.meta.url), 'utf8');
  const [commands = ''] = fencedBlocks(document, 'sh').filter((block) => block.includes('create-secret'));
  await buildCommandLine(join(home, 'bin', 'inventory'));
  const target = { endpoint: ministack.endpoint, account: await account.accountId(), home };
  const { PATH, ...others } = deployerEnvironment(target);
  const env = { ...others, ...environment, PATH: [join(home, 'bin'), dirname(aws), PATH].join(':') };
  await run(['bash', '-euc', commands], { cwd: home, env, limitMilliseconds: LIMIT_MS });
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'objects-'));
  const functions = join(home, 'functions');
  assets = { functions, build: { version: '1.2.3', commit: 'abc', time: '2026-01-01T00:00:00.000Z' } };
  [ministack, server] = await Promise.all([
    startMiniStack(program),
    newDataDir().then((folder) => startServer(folder, { environment: { ADMIN_PASSWORD: PASSWORD } })),
    build({ ...bundleOptions, entryPoints: { ...clientEntryPoints }, outdir: functions }),
  ]);
  account = new Account(ministack.endpoint);
  assertEmulator({ endpoint: ministack.endpoint, account: await account.accountId() });
  await account.createBucket(BUCKET);
  const { keys } = await makeKeys(server);
  api = clientOf(server, bearer(keys.Editor));
  const ca = join(server.dataDir, 'tls-cert.pem');
  await makeSecret({ INVENTORY_URL: server.base, INVENTORY_KEY: keys.Admin, INVENTORY_CA: ca });
  key = (await account.secret('shop')).trim();
  relay = await startRelay(server.base);
  const url = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;
  inventory = { url, ca: await readFile(ca, 'utf8') };
}, LIMIT_MS);

afterAll(async () => {
  await (ministack as MiniStack | undefined)?.stop();
  (relay as Server | undefined)?.close();
  await (server as RunningServer | undefined)?.stop();
  if ((server as RunningServer | undefined) !== undefined) await removeDataDir(server.dataDir);
  await rm(home, { recursive: true, force: true });
});

interface Scene {
  /** The name of the node with a service and an agent. */
  node: string;
  /** The names of the nodes of a file. */
  fleet: string[];
  /** A node that existed before. */
  taken?: 'refuse' | 'adopt';
}

function buildStack(app: App, { node, taken }: Scene, file: string): Stack {
  const synthesizer = interfaceOf<IStackSynthesizer>(
    new CliCredentialsStackSynthesizer({ fileAssetsBucketName: BUCKET }),
  );
  const stack = new Stack(app, STACK, { synthesizer });
  const keySecret = Secret.fromSecretNameV2(stack, 'Key', 'shop');
  const common = { assets, inventory: { url: inventory.url, ca: inventory.ca, keySecret } };
  const place = { address: '10.0.0.1', region: 'eu' };
  const { nodeName } = new InventoryNode(stack, 'Node', {
    ...common,
    node: { node_type: 'generic', node_name: node, ...place },
  });
  new InventoryService(stack, 'Service', {
    ...common,
    service: { service_type: 'mysql', service_name: 'orders', node_names: [nodeName], address: '10.0.0.1', port: 3306 },
  });
  new InventoryAgent(stack, 'Agent', { ...common, agent: { agent_type: 'pmm_agent', runs_on_node_name: nodeName } });
  new InventoryFleet(stack, 'Fleet', { ...common, file, maxRemovalsPercent: 50 });
  if (taken !== undefined)
    new InventoryNode(stack, 'Taken', {
      ...common,
      existing: taken,
      node: { node_type: 'generic', node_name: 'taken', address: 'changed' },
    });
  return stack;
}

const manifestSchema = z.object({
  files: z.record(
    z.string(),
    z.object({
      source: z.object({ path: z.string() }),
      destinations: z.record(z.string(), z.object({ objectKey: z.string() })),
    }),
  ),
});

/** Uploads the assets of a stack, as the command line of the CDK does. */
async function upload(assembly: string): Promise<void> {
  const manifest = await readFile(join(assembly, `${STACK}.assets.json`), 'utf8');
  for (const { source, destinations } of Object.values(z.parse(manifestSchema, JSON.parse(manifest)).files)) {
    const path = join(assembly, source.path);
    for (const { objectKey } of Object.values(destinations)) {
      if (uploaded.has(objectKey) || path.endsWith('.template.json')) continue;
      uploaded.add(objectKey);
      let file = path;
      if ((await stat(path)).isDirectory()) {
        file = join(home, objectKey);
        const command = ['python3', '-m', 'zipfile', '-c', file, join(path, 'index.mjs')];
        await run(command, { cwd: home, env: process.env, limitMilliseconds: LIMIT_MS });
      }
      await account.putFile(BUCKET, objectKey, await readFile(file));
    }
  }
}

/** Deploys the stack. @returns its status. */
async function deploy(scene: Scene): Promise<string> {
  const file = join(home, 'fleet.yaml');
  const lines = scene.fleet.map((name) => `  - { node_type: generic, node_name: ${name}, address: ${name} }\n`);
  await writeFile(file, `nodes:\n${lines.join('')}`);
  const app = new App({ outdir: await mkdtemp(join(home, 'out-')) });
  buildStack(app, scene, file);
  const { directory, stacks } = app.synth();
  await upload(directory);
  const template = JSON.stringify(stacks[0]!.template);
  templates.push(template);
  return account.deployTemplate(STACK, template);
}

const listed = async (kind: 'nodes' | 'services' | 'agents'): Promise<any[]> =>
  (await api('GET', `/v1/${kind}`)).body[kind];
const nodeNames = async () => (await listed('nodes')).map(({ node_name: name }) => name).sort();

test(
  'a stack adds its objects',
  async () => {
    const body = { node_type: 'generic', node_name: 'taken', address: 'before' };
    expect((await api('POST', '/v1/nodes', { body })).status).toBe(201);
    expect(await deploy({ node: 'shop-1', fleet: ['f-1', 'f-2'] })).toBe('CREATE_COMPLETE');
    expect(await nodeNames()).toEqual(['f-1', 'f-2', 'shop-1', 'taken']);
    const { node_id, custom_labels } = (await listed('nodes')).find(({ node_name: name }) => name === 'shop-1');
    expect(custom_labels[OWNER_LABEL]).toMatch(/^Shop\/.+\/Node/);
    expect(await listed('services')).toMatchObject([{ service_name: 'orders', node_ids: [node_id] }]);
    expect(await listed('agents')).toMatchObject([{ agent_type: 'pmm_agent', runs_on_node_id: node_id }]);
  },
  LIMIT_MS,
);

test(
  'a rename replaces the node, and the objects on it follow',
  async () => {
    const [before] = await listed('services');
    expect(await deploy({ node: 'shop-2', fleet: ['f-2', 'f-3'] })).toBe('UPDATE_COMPLETE');
    expect(await nodeNames()).toEqual(['f-2', 'f-3', 'shop-2', 'taken']);
    const { node_id, region } = (await listed('nodes')).find(({ node_name: name }) => name === 'shop-2');
    const [after] = await listed('services');
    expect([after.service_id, after.node_ids, region]).toEqual([before.service_id, [node_id], 'eu']);
    expect(await listed('agents')).toMatchObject([{ agent_type: 'pmm_agent', runs_on_node_id: node_id }]);
  },
  LIMIT_MS,
);

test(
  'an existing node fails the deployment, whose rollback restores everything',
  async () => {
    const before = await listed('nodes');
    expect(await deploy({ node: 'shop-2', fleet: ['f-2', 'f-3'], taken: 'refuse' })).toBe('UPDATE_ROLLBACK_COMPLETE');
    expect(await account.stackEvents(STACK)).toContain('node/taken exists already');
    expect(await listed('nodes')).toEqual(before);
  },
  LIMIT_MS,
);

test(
  "the node is adopted, and stays after the stack's deletion, which removes all other objects",
  async () => {
    expect(await deploy({ node: 'shop-2', fleet: ['f-2', 'f-3'], taken: 'adopt' })).toBe('UPDATE_COMPLETE');
    const events = await account.stackEvents(STACK);
    await account.deleteStack(STACK);
    expect(await listed('nodes')).toMatchObject([{ node_name: 'taken', address: 'changed', revision: 2 }]);
    expect([await listed('services'), await listed('agents')]).toEqual([[], []]);
    const everything = JSON.stringify([events, templates, await account.logged()]);
    expect(everything).toContain('node/taken');
    expect(everything).not.toContain(key);
  },
  LIMIT_MS,
);
