/** Two tenants and their shared stack, deployed by one command, and the page that lists the inventories of a person. */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { CERTIFICATE_FILE, ensureCertificate } from '../../local/server/certificate.ts';
import { type OidcServer, type OidcServerOptions, startOidcServer } from '../support/oidc-server.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { basic, type Request, requestsTo } from './api.ts';
import { Cdk } from './cdk.ts';
import { type EmulatedAccount, openAccount } from './emulated-account.ts';
import { EMULATED_ACCOUNT } from './guard.ts';
import { nodeNamed } from './inventory-state.ts';
import { pathOf } from './programs.ts';

const LIMIT_MS = 1_800_000;

const program = await pathOf('ministack');

const names = ['canary', 'acme'] as const;
type Name = (typeof names)[number];

const stackOf = (name: Name | 'shared') => `Inventories-${name}`;

let folder: string;
let emulated: EmulatedAccount;
let provider: OidcServer;
const providerOptions: OidcServerOptions = {};
let deployed: Awaited<ReturnType<Cdk['deployAll']>>;

interface Tenant {
  request: Request;
  admin: string;
}

const tenants = new Map<Name, Tenant>();
const tenant = (name: Name) => tenants.get(name)!;

beforeAll(async () => {
  folder = await newDataDir();
  const certificate = await ensureCertificate(folder);
  setDefaultCACertificates([...getCACertificates(), certificate.cert]);
  Object.assign(providerOptions, { certificate });
  provider = await startOidcServer(providerOptions);
  emulated = await openAccount(program, { NODE_EXTRA_CA_CERTS: join(folder, CERTIFICATE_FILE) });
  const { account, target } = emulated;
  const cdk = new Cdk(target);
  await cdk.bootstrap();
  const { issuer, clientId, clientSecret } = provider;
  const secret = await account.addSecret('client', clientSecret);
  deployed = await cdk.deployAll({
    stackName: 'Inventories',
    domainName: 'inventory.example.com',
    certificateArn: `arn:aws:acm:us-east-1:${EMULATED_ACCOUNT}:certificate/01234567-89ab-cdef-0123-456789abcdef`,
    identityProviders: JSON.stringify([{ name: 'company', kind: 'oidc', issuer, clientId, clientSecretArn: secret }]),
    tenants: JSON.stringify([{ name: 'acme' }, { name: 'canary', wave: 1 }]),
  });
  for (const name of names) {
    const request = requestsTo(`${target.endpoint}/_aws/execute-api/${await account.restApiOf(stackOf(name))}/live`);
    const password = await account.secret(deployed.outputs[stackOf(name)]!['AdminSecretArn']!);
    tenants.set(name, { request, admin: basic('admin', password) });
  }
}, LIMIT_MS);

afterAll(async () => {
  await (emulated as EmulatedAccount | undefined)?.stop();
  await provider.stop();
  await removeDataDir(folder);
});

test('the canary is deployed before the others, and the shared stack knows all addresses', () => {
  const { outputs, printed } = deployed;
  expect(Object.keys(outputs).sort()).toEqual(['acme', 'canary', 'shared'].map((name) => `Inventories-${name}`));
  const [first, second] = names.map((name) => printed.indexOf(`ConsoleUrl = https://${name}.inventory.example.com/`));
  expect(first).toBeGreaterThan(-1);
  expect(second).toBeGreaterThan(first!);
  const { RedirectAddresses, InventoriesUrl } = outputs[stackOf('shared')]!;
  expect(RedirectAddresses!.split(' ').sort()).toEqual(
    [...names.map((name) => `https://${name}.inventory.example.com/`), InventoriesUrl].sort(),
  );
});

test('each tenant has its own objects and its own password', async () => {
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

test('the page lists the inventories that have a role for the person, by the tables of the tenants', async () => {
  const { request, admin } = tenant('acme');
  const binding = { name: 'dba', provider: 'company', claims: { groups: ['dba'] }, role: 'Editor' };
  expect((await request('POST', '/v1/role-bindings', { as: admin, body: binding })).status).toBe(201);
  const { InventoriesUrl: url = '' } = deployed.outputs[stackOf('shared')]!;
  const [id] = new URL(url).hostname.split('.');
  const page = `${emulated.target.endpoint}/_aws/execute-api/${id}/$default/`;
  const leave = await fetch(page, { redirect: 'manual' });
  expect(leave.status).toBe(302);
  const address = new URL(leave.headers.get('location')!);
  // The emulator has hosts of its own. The client is registered as the output of the stack says, for the address that it has here.
  providerOptions.redirectUri = address.searchParams.get('redirect_uri')!;
  provider.rotateKeys();
  // A process asks for new keys at most every 5 seconds.
  await delay(5500);
  const back = await provider.authorize(Object.fromEntries(address.searchParams));
  const cookie = leave.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const reply = await fetch(page + back.search, { headers: { cookie } });
  const text = await reply.text();
  expect([reply.status, text]).toEqual([
    200,
    expect.stringContaining('<li><a href="https://acme.inventory.example.com/">acme</a> (Editor)</li>'),
  ]);
  expect(text).not.toContain('canary');
});
