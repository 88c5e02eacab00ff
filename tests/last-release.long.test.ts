import { type RequestOptions, type Inventory, type Reply, startInventory } from './support/inventory.ts';
import { ReleasedFunctions } from './support/released.ts';

// An update replaces the functions one by one, and a return to the last release keeps the table. So each version reads what
// the other one writes, unless the format of the table says otherwise (functions/store/table/format.ts).

type Ask = (method: string, path: string, call?: RequestOptions) => Promise<Reply>;

let inventory: Inventory;
let released: ReleasedFunctions;
let old: Ask;
let present: Ask;

beforeAll(async () => {
  // Of one time: the functions of the last release have the clock of this machine.
  inventory = await startInventory({ clock: () => new Date() });
  released = await ReleasedFunctions.start(inventory);
  old = await released.requests(inventory);
  present = inventory.request;
});

afterAll(async () => {
  await released.stop();
  await inventory.stop();
});

/** Adds through `ask`: a host with a service, agents that watch it, their reports, and a key; and removes an object. */
async function write(ask: Ask, name: string): Promise<void> {
  const body = async (method: string, path: string, sent?: unknown) => {
    const { status, body: reply, text } = await ask(method, path, { body: sent });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return reply;
  };
  const of = { cluster: `${name}-cluster`, environment: name, custom_labels: { team: name } };
  const node = { node_type: 'container', node_name: name, address: `${name}.example`, region: 'r', az: 'a' };
  const { node_id: nodeId } = await body('POST', '/v1/nodes', {
    ...node,
    container_id: name,
    custom_labels: of.custom_labels,
  });
  const { agent_id: process } = await body('POST', '/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: nodeId });
  const service = { service_type: 'mysql', service_name: name, address: '10.0.0.1', port: 3306, ...of };
  const { service_id: serviceId } = await body('POST', '/v1/services', { ...service, node_ids: [nodeId] });
  const exporter = { agent_type: 'mysqld_exporter', pmm_agent_id: process, insights: { service_ids: [serviceId] } };
  const { agent_id: agentId } = await body('POST', '/v1/agents', exporter);
  for (const status of ['starting', 'running'])
    await body('POST', `/v1/agents/${process}/report`, { agents: [{ agent_id: agentId, status, listen_port: 42000 }] });
  await body('PATCH', `/v1/nodes/${nodeId}`, { az: 'b', stale_after: '10m' });
  await body('PATCH', `/v1/agents/${agentId}`, { disabled: true });
  await body('PUT', `/v1/services/by-name/${name}-2`, {
    ...service,
    service_name: undefined,
    port: 3307,
    node_ids: [nodeId],
  });
  const { node_id: gone } = await body('POST', '/v1/nodes', {
    ...node,
    node_name: `${name}-gone`,
    address: 'b',
    container_id: undefined,
  });
  await body('DELETE', `/v1/nodes/${gone}`);
  await body('POST', '/v1/api-keys', { name, role: 'Viewer', time_to_live: '1d', rate_limit_per_minute: 100 });
  await body('POST', '/v1/enrolment-tokens', { name, node_name: `${name}-next` });
  const desired = {
    nodes: [{ node_type: 'generic', node_name: `${name}-planned`, address: 'c', custom_labels: { team: name } }],
  };
  const { plan_id: plan } = await body('POST', '/v1/reconcile', {
    scope: { selector: `team=${name},node_type=generic` },
    desired,
  });
  plans.push(plan);
}

const plans: string[] = [];

/** What both versions read: lists in pages, objects, histories, the audit, a plan, targets. */
async function readable(): Promise<string[]> {
  const ids = async (kind: string, id: string): Promise<string[]> =>
    (await present('GET', `/v1/${kind}`)).body[kind].map((object: any) => `/v1/${kind}/${object[id]}`);
  const objects = [
    ...(await ids('nodes', 'node_id')),
    ...(await ids('services', 'service_id')),
    ...(await ids('agents', 'agent_id')),
  ];
  const lists = [
    'nodes',
    'services',
    'agents',
    'nodes?include=state',
    'services?cluster=before-cluster',
    'agents?include=state',
  ];
  const others = [
    'clusters',
    'changes',
    'audit',
    'removed',
    'api-keys',
    'enrolment-tokens',
    'discovery/prometheus',
    'export',
  ];
  return [
    ...objects,
    ...objects.map((path) => `${path}/history`),
    ...[...lists, ...others].map((path) => `/v1/${path}`),
    ...plans.map((plan) => `/v1/reconcile/${plan}`),
  ];
}

/** Fails for a path that one version cannot read, or reads differently but for fields that only this version has. */
async function expectSameReads(): Promise<void> {
  const paths = await readable();
  expect(paths.length).toBeGreaterThan(20);
  for (const path of paths) {
    const [before, after] = [await old('GET', path), await present('GET', path)];
    expect([path, before.status, before.status === 200 ? '' : before.text]).toEqual([path, 200, '']);
    expect([path, after.status]).toEqual([path, 200]);
    expect([path, comparable(after.body)]).toMatchObject([path, comparable(before.body)]);
  }
}

/** The last release reads a key with the role Gateway as one with fewer rights. */
const knownRole = (key: any) => ({ ...key, role: key.role === 'Gateway' ? 'Relay' : key.role });

/** Without tokens of pages, which contain the time of their reply. */
function comparable(body: any) {
  if (Array.isArray(body)) return body;
  const keys = body.api_keys === undefined ? {} : { api_keys: body.api_keys.map(knownRole) };
  return { ...body, ...keys, next: undefined, next_page_token: undefined };
}

test("this version reads the last release's data as that release did", async () => {
  await write(old, 'before');
  await expectSameReads();
});

test("the last release reads this version's data as this version does", async () => {
  await write(present, 'after');
  await expectSameReads();
});

test("both continue each other's pages and feed", async () => {
  for (const [first, second] of [
    [old, present],
    [present, old],
  ] as const) {
    for (const list of ['nodes', 'services', 'agents', 'api-keys', 'audit']) {
      const { next_page_token: token } = (await first('GET', `/v1/${list}?page_size=1`)).body;
      const { status, text } = await second('GET', `/v1/${list}?page_size=1&page_token=${encodeURIComponent(token)}`);
      expect([list, status, status === 200 ? '' : text]).toEqual([list, 200, '']);
    }
    const { next } = (await first('GET', '/v1/changes')).body;
    expect((await second('GET', `/v1/changes?since=${encodeURIComponent(next)}`)).body).toMatchObject({ changes: [] });
  }
});

test("both change each other's objects, and no name is given twice", async () => {
  const named = { body: { node_type: 'generic', node_name: 'after', address: 'x' } };
  expect((await old('POST', '/v1/nodes', named)).status).toBe(409);
  expect((await present('POST', '/v1/nodes', { body: { ...named.body, node_name: 'before' } })).status).toBe(409);
  const idOf = async (name: string) => (await present('GET', `/v1/nodes?name_prefix=${name}`)).body.nodes[0].node_id;
  const [before, after] = [await idOf('before'), await idOf('after')];
  expect((await present('PATCH', `/v1/nodes/${before}`, { body: { az: 'c' } })).status).toBe(200);
  expect((await old('PATCH', `/v1/nodes/${after}`, { body: { az: 'c' } })).status).toBe(200);
  await expectSameReads();
  expect((await old('DELETE', `/v1/nodes/${after}?force=true`)).status).toBe(204);
  expect((await present('DELETE', `/v1/nodes/${before}?force=true`)).status).toBe(204);
  const { removals } = (await present('GET', '/v1/removed')).body;
  for (const { removal_id: id } of removals.slice(0, 2))
    expect((await present('POST', `/v1/removed/${id}/restore`)).status).toBe(200);
  await expectSameReads();
});

test("both accept, rotate and remove each other's keys", async () => {
  for (const [first, second, name] of [
    [old, present, 'key-before'],
    [present, old, 'key-after'],
  ] as const) {
    const { body } = await first('POST', '/v1/api-keys', { body: { name, role: 'Viewer' } });
    const statusFor = async (ask: Ask, key: string) =>
      (await ask('GET', '/v1/nodes', { headers: { Authorization: `Bearer ${key}` } })).status;
    expect([name, await statusFor(first, body.key), await statusFor(second, body.key)]).toEqual([name, 200, 200]);
    const path = `/v1/api-keys/${body.key_id}`;
    const rotated = await second('POST', `${path}/rotate`, { body: { overlap: '0s' } });
    expect([rotated.status, await statusFor(first, body.key)]).toEqual([200, 401]);
    const { key } = rotated.body;
    expect([name, await statusFor(first, key), await statusFor(second, key)]).toEqual([name, 200, 200]);
    expect((await first('DELETE', path)).status).toBe(204);
    expect([name, await statusFor(first, key), await statusFor(second, key)]).toEqual([name, 401, 401]);
  }
});
