/** Tenants and their shared stack, deployed, upgraded and removed by the commands of docs/tenants.md. */
import { readFile } from 'node:fs/promises';
import { basic, type Request, requestsTo } from './api.ts';
import { Cdk } from './cdk.ts';
import { type EmulatedAccount, openAccount } from './emulated-account.ts';
import { EMULATED_ACCOUNT } from './guard.ts';
import { nodeNamed } from './inventory-state.ts';
import { pathOf } from './programs.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';

const LIMIT_MS = 1_800_000;

const program = await pathOf('ministack');

const names = ['canary', 'acme', 'umbrella'] as const;
type Name = (typeof names)[number];

const stackOf = (name: Name | 'shared') => `Inventories-${name}`;

let emulated: EmulatedAccount;
let cdk: Cdk;
/** What `context` of `cdk.json` keeps. */
let settings: Record<string, string>;
let deployed: Awaited<ReturnType<Cdk['follow']>>;

/** The commands of the document: the first deployment, a removal, and an upgrade by way of the canaries. */
const [first = '', removal = '', upgrade = ''] = fencedBlocks(
  await readFile(new URL('../../docs/tenants.md', import.meta.url), 'utf8'),
  'sh',
).map((block) => block.replace('<account>', EMULATED_ACCOUNT).replace('<id>', '01234567-89ab-cdef-0123-456789abcdef'));

let deployment = first;

/** The tenants that the first command names. */
const listed: { name: string }[] = JSON.parse(/tenants=(\[.*\])/.exec(first)![1]!);

interface Tenant {
  request: Request;
  admin: string;
}

const tenants = new Map<Name, Tenant>();
const tenant = (name: Name) => tenants.get(name)!;

beforeAll(async () => {
  emulated = await openAccount(program);
  const { account, target } = emulated;
  cdk = new Cdk(target);
  await cdk.bootstrap();
  const secret = await account.addSecret('client', 'client-secret');
  settings = {
    identityProviders: JSON.stringify([
      {
        name: 'company',
        kind: 'oidc',
        issuer: 'https://login.example.com',
        clientId: 'inventory',
        clientSecretArn: secret,
      },
    ]),
  };
  const zone = await account.addHostedZone('inventory.example.com');
  deployment = deployment.replace('Z0123456789ABCDEFGHIJ', zone);
  deployed = await cdk.follow(deployment, settings);
  const given = [...deployment.matchAll(/-c '?(\w+)=(\[.*\]|[^\s']+)/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  settings = { ...settings, ...Object.fromEntries(given) };
  for (const name of names) {
    const request = requestsTo(`${target.endpoint}/_aws/execute-api/${await account.restApiOf(stackOf(name))}/live`);
    const password = await account.secret(deployed.outputs[stackOf(name)]!['AdminSecretArn']!);
    tenants.set(name, { request, admin: basic('admin', password) });
  }
}, LIMIT_MS);

afterAll(async () => {
  await (emulated as EmulatedAccount | undefined)?.stop();
});

test('the canary is deployed first, and the shared stack knows all addresses', () => {
  const { outputs, printed } = deployed;
  expect(Object.keys(outputs).sort()).toEqual(
    ['acme', 'canary', 'shared', 'umbrella'].map((name) => `Inventories-${name}`),
  );
  const [first, second] = names.map((name) => printed.indexOf(`ConsoleUrl = https://${name}.inventory.example.com/`));
  expect(first).toBeGreaterThan(-1);
  expect(second).toBeGreaterThan(first!);
  const { RedirectAddresses } = outputs[stackOf('shared')]!;
  expect(RedirectAddresses!.split(' ').sort()).toEqual(
    names.map((name) => `https://${name}.inventory.example.com/`).sort(),
  );
});

test('each tenant has its own objects and password', async () => {
  for (const name of names) {
    const { request, admin } = tenant(name);
    expect((await request('POST', '/v1/nodes', { as: admin, body: nodeNamed(`of-${name}`) })).status).toBe(201);
  }
  for (const [name, other] of [
    ['canary', 'acme'],
    ['acme', 'canary'],
  ] as const) {
    const { request, admin } = tenant(name);
    const { body } = await request('GET', '/v1/nodes', { as: admin });
    expect(body.nodes.map(({ node_name }: any) => node_name)).toEqual([`of-${name}`]);
    expect((await request('GET', '/v1/nodes', { as: tenant(other).admin })).status).toBe(401);
  }
});

test(
  "the document's pattern upgrades the canaries alone, then the others",
  async () => {
    const [canaries = '', others = ''] = upgrade.trim().split('\n');
    const { printed } = await cdk.follow(canaries, settings);
    expect(printed).toContain('Inventories-canary');
    expect(printed).not.toContain('No stacks match');
    for (const name of ['acme', 'umbrella', 'shared'] as const) expect(printed).not.toContain(stackOf(name));
    expect(others).toContain('npx cdk deploy --all');
  },
  LIMIT_MS,
);

test(
  "the document's commands remove a tenant, and every other stack stays",
  async () => {
    const remaining = listed.filter(({ name }) => name !== 'acme');
    const [leave = '', remove = ''] = removal.trim().split('\n');
    await cdk.follow(leave, { ...settings, tenants: JSON.stringify(remaining) });
    const all = (of: readonly string[]) => of.map((name) => `Inventories-${name}`).sort();
    const stacks = async () =>
      (await emulated.account.stacks()).filter((name) => name.startsWith('Inventories-')).sort();
    expect(await stacks()).toEqual(all([...names, 'shared']));
    const { printed } = await cdk.follow(remove, { ...settings, tenants: JSON.stringify(remaining) });
    expect(printed).toMatch(/Inventories-acme: destroyed/);
    expect(await stacks()).toEqual(all(['canary', 'umbrella', 'shared']));
    const { request, admin } = tenant('canary');
    expect((await request('GET', '/v1/nodes', { as: admin })).status).toBe(200);
  },
  LIMIT_MS,
);
