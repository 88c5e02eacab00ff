/** Every list and get reads what callers of every origin have made, and answers callers of every origin. */
import { endpoints } from '../functions/api/endpoints.ts';
import { answerWith, askForSession, poll } from './support/devices.ts';
import { clusterToken, testProviders } from './support/identity-providers.ts';
import { type Inventory, startInventory } from './support/inventory.ts';
import { askWith, logIn } from './support/log-in.ts';
import { logInByProvider, settingsFor } from './support/oidc-log-in.ts';
import { type OidcServer, startOidcServer } from './support/oidc-server.ts';
import { logInProgram } from './support/program-logins.ts';
import { testTime } from './support/test-time.ts';
import { accepted } from './support/users.ts';

/** A caller of one origin, and the ids of what it has made. */
interface Origin {
  key: string;
  isAdmin: boolean;
  ids: Record<string, string | undefined>;
}

const origins = new Map<string, Origin>();
let inventory: Inventory;
let provider: OidcServer;

async function post(key: string, path: string, body: object): Promise<any> {
  const { status, body: reply } = await askWith(inventory, key, 'POST', path, body);
  expect([path, status < 500]).toEqual([path, true]);
  return status < 300 ? reply : {};
}

/** Makes one of each kind of object that the caller may make. */
async function make(name: string, key: string): Promise<Origin['ids']> {
  const node = { node_type: 'generic', node_name: `node-${name}`, address: `${name}.example.com`, region: 'r' };
  const { node_id } = await post(key, '/v1/nodes', node);
  const removed = await post(key, '/v1/nodes', {
    ...node,
    node_name: `removed-${name}`,
    address: `removed-${name}.example.com`,
  });
  await askWith(inventory, key, 'DELETE', `/v1/nodes/${removed.node_id}`);
  const service = {
    service_type: 'mysql',
    service_name: `service-${name}`,
    address: `${name}.example.com`,
    port: 3306,
  };
  const { service_id } = await post(key, '/v1/services', { ...service, cluster: name, node_ids: [node_id] });
  const { agent_id } = await post(key, '/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: node_id });
  await post(key, `/v1/agents/${agent_id}/report`, { agents: [] });
  const desired = { ...node, node_name: `desired-${name}`, address: `desired-${name}.example.com` };
  const { plan_id } = await post(key, '/v1/reconcile', {
    scope: { selector: `team=${name}` },
    desired: { nodes: [{ ...desired, custom_labels: { team: name } }] },
  });
  const life = { time_to_live: '5m' };
  await post(key, '/v1/api-keys', { name: `key-${name}`, role: 'Viewer', ...life });
  await post(key, '/v1/enrolment-tokens', { name: `token-${name}`, time_to_live: '1m', key_time_to_live: '1m' });
  await post(key, '/v1/users', { user_name: `user-${name}`, role: 'Viewer' });
  const claims = { groups: [name] };
  const binding = { name: `binding-${name}`, provider: 'corporate', claims, role: 'Viewer' };
  const { binding_id } = await post(key, '/v1/role-bindings', binding);
  await post(key, '/v1/silences', { selector: `cluster=${name}`, reason: 'a test', ...life });
  for (const shared of [true, false])
    await post(key, '/v1/saved-filters', { name: `filter-${name}`, list: 'nodes', parameters: {}, shared });
  const cluster = service_id === undefined ? undefined : name;
  return { node_id, service_id, agent_id, plan_id, binding_id, cluster, kind: 'node', object_id: node_id };
}

async function add(name: string, key: string, isAdmin = true): Promise<void> {
  origins.set(name, { key, isAdmin, ids: await make(name, key) });
}

async function deviceOf(key: string): Promise<string> {
  const { body: codes } = await askForSession(inventory);
  await answerWith(inventory, key, { user_code: codes.user_code, answer: 'approve' });
  return (await poll(inventory, codes.device_code)).body.key;
}

let tokens = 0;

const logInAs = async (claims: object) => {
  tokens += 1;
  const { body } = await logInProgram(inventory, await clusterToken({ ...claims, jti: String(tokens) }), 'cluster');
  return body;
};

async function enrolled(name: string, token: string): Promise<string> {
  const sourceIp = `10.0.1.${(tokens += 1)}`;
  const node = { node_type: 'generic', node_name: name, address: sourceIp };
  const { body } = await inventory.request('POST', '/v1/enrolment', { as: null, body: { token, node }, sourceIp });
  return body.api_key.key;
}

beforeAll(async () => {
  provider = await startOidcServer({ time: testTime() });
  inventory = await startInventory({ identityProviders: [...testProviders, await settingsFor(provider)] });
  const admin = inventory.keys.Admin;
  const bind = (name: string, of: string, claims: object, role: string, more: object = {}) =>
    post(admin, '/v1/role-bindings', { name, provider: of, claims, role, ...more });
  await bind('ops', 'corporate', { groups: ['ops'] }, 'Admin');
  await bind('job', 'cluster', { job: ['admin'] }, 'Admin');
  await bind('host', 'cluster', { job: ['host'] }, 'Registrar', { owners: ['shop'] });
  await add('key', admin);
  await add('admin', (await logIn(inventory)).body.key);
  const { key: user } = await accepted(inventory, 'Admin');
  await add('user', user);
  provider.accounts.set('m-1', { preferred_username: 'maria', groups: ['ops'] });
  provider.person = 'm-1';
  const { body: person } = await logInByProvider(inventory, provider);
  await add('provider', person.key);
  await add('device', await deviceOf(user));
  await add('device-of-provider', await deviceOf(person.key));
  const { key: program } = await logInAs({ job: 'admin' });
  await add('program', program);
  const made = await post(program, '/v1/api-keys', { name: 'made', role: 'Admin', time_to_live: '5m' });
  await add('key-of-program', made.key);
  const { token } = await post(admin, '/v1/enrolment-tokens', { name: 'of a key' });
  await add('enrolment', await enrolled('host-1', token), false);
  await add('enrolment-by-binding', await enrolled('host-2', (await logInAs({ job: 'host' })).key), false);
  // It stays in the list.
  await logInAs({ job: 'host' });
});
afterAll(async () => {
  await inventory.stop();
  await provider.stop();
});

/** Parameters that an endpoint requires. */
const queries: Readonly<Record<string, () => string>> = {
  countGroups: () => '?kind=node&group_by=region',
  getObjectAsOf: () => `?time=${inventory.dependencies.clock().toISOString()}`,
};

const reads = endpoints.filter(({ method }) => method === 'GET');

/** An endpoint's path for the objects that an origin has; undefined without one. */
function pathFor({ id, path }: { id: string; path: string }, { ids }: Origin): string | undefined {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (names.some((name) => ids[name] === undefined)) return undefined;
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '') + (queries[id]?.() ?? '');
}

test('callers of each origin have made something', () => {
  for (const [name, { isAdmin, ids }] of origins)
    expect([name, ids]).toEqual([name, expect.objectContaining(isAdmin ? { node_id: expect.any(String) } : {})]);
});

test.each(reads.map((endpoint) => ({ endpoint, name: endpoint.id })))(
  '$name replies to callers of each origin about objects of each origin',
  async ({ endpoint }) => {
    let ofOrigin = 0;
    for (const [maker, origin] of origins) {
      const path = pathFor(endpoint, origin);
      if (path === undefined) continue;
      for (const [reader, { key, isAdmin }] of origins) {
        const { status } = await askWith(inventory, key, 'GET', path);
        // Plans are those of their caller. A host sees its own objects.
        const expected = !isAdmin ? [200, 403, 404] : reader === maker ? [200] : [200, 404];
        expect([path, reader, status, expected.includes(status)]).toEqual([path, reader, status, true]);
        if (reader === maker && status === 200) ofOrigin += 1;
      }
    }
    expect(ofOrigin).toBeGreaterThanOrEqual(4);
  },
);

test('the list of enrolment tokens shows those of a role binding', async () => {
  const { body } = await inventory.request('GET', '/v1/enrolment-tokens');
  const makers = body.enrolment_tokens.map(({ created_by }: any) => created_by.kind);
  expect(makers).toEqual(expect.arrayContaining(['api_key', 'session', 'system']));
});
