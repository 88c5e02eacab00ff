import { randomUUID } from 'node:crypto';
import { checkInvariants, wipe } from './consistency/invariants.ts';
import { addAll, external, node, pmmAgent, service } from './support/store.ts';
import { useInventory } from './support/fixtures.ts';

// Names, addresses and paths that a release before the present rules took.
const NODE_NAME = 'caf\u0065\u0301';
const SERVICE_NAME = 'orders\u00a0db';
const ADDRESS = '127.0.0.1\u00ad';
const SERVICE_ADDRESS = '10.0.0.256';
const METRICS_PATH = '//metrics';

const inventory = useInventory();
beforeEach(async () => {
  await wipe(inventory.table);
});
afterEach(async () => {
  expect(await checkInvariants(inventory.table)).toEqual([]);
});

const custom_labels = { team: 'old' };
const exporterDefaults = { push_metrics: false, scheme: 'http', tls_skip_verify: false };

/** A host as an older release stored it. */
async function stored() {
  const host = node({ node_name: NODE_NAME, address: ADDRESS, custom_labels });
  const process = pmmAgent(host);
  const db = service([host], { service_name: SERVICE_NAME, address: SERVICE_ADDRESS, port: 1, custom_labels });
  const exporter = external(
    { nodes: [host] },
    { metrics_path: METRICS_PATH, runs_on_node_id: host.object.node_id, ...exporterDefaults },
  );
  await addAll(inventory.table, host, process, db, exporter);
  const [nodeId, serviceId, agentId] = [host.object.node_id, db.object.service_id, exporter.object.agent_id];
  return { host: host.object, db: db.object, nodeId, serviceId, agentId };
}

const call = (method: string, path: string, body?: object) => inventory.request(method, path, { body, as: 'Admin' });
const put = (kind: string, name: string, body: object) =>
  call('PUT', `/v1/${kind}/by-name/${encodeURIComponent(name)}`, body);
const importLines = (lines: string, query = '') =>
  inventory.request('POST', `/v1/import${query}`, {
    body: lines,
    headers: { 'Content-Type': 'application/x-ndjson' },
    as: 'Admin',
  });
const exported = async (): Promise<string> => (await call('GET', '/v1/export')).text;
const generic = (more: object = {}) => ({ node_type: 'generic', address: ADDRESS, custom_labels, ...more });
const mysql = (more: object = {}) => ({
  ...{ service_type: 'mysql', address: SERVICE_ADDRESS, port: 1, custom_labels },
  ...more,
});

test('stored values are read, listed, kept by other changes and declarations, and removed', async () => {
  const { nodeId, serviceId, agentId } = await stored();
  const paths = [`/v1/nodes/${nodeId}`, `/v1/services/${serviceId}`, `/v1/agents/${agentId}`];
  for (const path of paths) {
    expect((await call('GET', path)).status).toBe(200);
    const changed = await call('PATCH', path, { custom_labels: { more: 'x', team: 'old' } });
    expect([path, changed.status, changed.body.revision]).toEqual([path, 200, 2]);
  }
  const listed = await call('GET', `/v1/nodes?name_prefix=${encodeURIComponent(NODE_NAME)}`);
  expect(listed.body.nodes).toMatchObject([{ node_id: nodeId, address: ADDRESS }]);

  expect((await put('nodes', NODE_NAME, generic({ az: 'z' }))).body).toMatchObject({
    node_id: nodeId,
    outcome: 'changed',
  });
  expect((await put('nodes', NODE_NAME, generic({ az: 'z' }))).body).toMatchObject({ outcome: 'unchanged' });
  const declared = mysql({ node_ids: [nodeId], cluster: 'c' });
  expect((await put('services', SERVICE_NAME, declared)).body).toMatchObject({
    service_id: serviceId,
    outcome: 'changed',
  });
  const agent = {
    agent_type: 'external_exporter',
    listen_port: 2,
    runs_on_node_id: nodeId,
    metrics_path: METRICS_PATH,
  };
  expect((await call('PUT', '/v1/agents/by-key', { ...agent, insights: { node_ids: [nodeId] } })).body).toMatchObject({
    ...{ agent_id: agentId, outcome: 'changed', metrics_path: METRICS_PATH },
  });

  for (const path of paths.toReversed()) expect((await call('DELETE', `${path}?force=true`)).status).toBe(204);
});

test('a declaration cannot add such a value or change an object to it', async () => {
  await put('nodes', 'n', { ...generic(), address: 'a' });
  const refusal = (field: string) => ({ status: 400, body: { details: [{ field, reason: 'invalid_format' }] } });
  expect(await put('nodes', NODE_NAME, generic({ address: 'a' }))).toMatchObject(refusal('node_name'));
  expect(await put('nodes', 'other', generic())).toMatchObject(refusal('address'));
  expect(await put('nodes', 'n', generic())).toMatchObject(refusal('address'));
  expect(await put('services', SERVICE_NAME, mysql({ address: 'a' }))).toMatchObject(refusal('service_name'));
  expect(await put('services', 's', mysql())).toMatchObject(refusal('address'));
  const agent = { agent_type: 'external_exporter', listen_port: 1, metrics_path: METRICS_PATH };
  const { node_id: nodeId } = (await call('GET', '/v1/nodes')).body.nodes[0];
  expect(await call('PUT', '/v1/agents/by-key', { ...agent, runs_on_node_id: nodeId })).toMatchObject(
    refusal('metrics_path'),
  );
  expect((await call('GET', '/v1/nodes')).body.nodes).toMatchObject([{ node_name: 'n', address: 'a', revision: 1 }]);
});

test("a batch declares stored objects, and refuses only a new one's declaration", async () => {
  const { nodeId, serviceId } = await stored();
  const operations = [
    { op: 'upsertNode', body: generic({ node_name: NODE_NAME }) },
    { op: 'upsertService', body: mysql({ service_name: SERVICE_NAME, node_ids: [nodeId], cluster: 'c' }) },
    { op: 'upsertNode', body: generic({ node_name: 'other' }) },
  ];
  const { body } = await call('POST', '/v1/batch', { operations });
  expect(body.results).toMatchObject([
    { status: 200, id: nodeId, outcome: 'unchanged' },
    { status: 200, id: serviceId, outcome: 'changed' },
    { status: 400, error: { details: [{ field: 'address' }] } },
  ]);
});

test('a reconciliation keeps stored values, and refuses to add them', async () => {
  const { nodeId } = await stored();
  const scope = { selector: 'team=old' };
  const desired = {
    nodes: [generic({ node_name: NODE_NAME, az: 'z' })],
    services: [mysql({ service_name: SERVICE_NAME, node_names: [NODE_NAME] })],
    agents: [
      { agent_type: 'pmm_agent', runs_on_node_name: NODE_NAME },
      {
        ...{ agent_type: 'external_exporter', listen_port: 1, metrics_path: METRICS_PATH },
        ...{ runs_on_node_name: NODE_NAME, insights: { node_names: [NODE_NAME] } },
      },
    ],
  };
  const planned = await call('POST', '/v1/reconcile', { scope, desired });
  expect(planned.body).toMatchObject({ change: 1, add: 0, remove: 0, unchanged: 3 });
  const applied = await call('POST', '/v1/reconcile', { mode: 'apply', plan_id: planned.body.plan_id });
  expect(applied.body).toMatchObject({ state: 'done', progress: { failed: 0 } });
  expect((await call('GET', `/v1/nodes/${nodeId}`)).body).toMatchObject({ az: 'z', address: ADDRESS });

  const more = { ...desired, nodes: [...desired.nodes, generic({ node_name: 'x\u00a0y' })] };
  for (const mode of ['plan', 'apply'])
    expect(await call('POST', '/v1/reconcile', { mode, scope, desired: more })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'desired.nodes.1.node_name' }, { field: 'desired.nodes.1.address' }] },
    });
  expect((await call('GET', '/v1/nodes')).body.nodes).toHaveLength(1);
});

test('a host enrols again under its stored name, and no new host enrols under such a name', async () => {
  const { nodeId } = await stored();
  const enrol = async (name: string, more: object = {}) => {
    const { body } = await call('POST', '/v1/enrolment-tokens', { name: 't', allowed_addresses: ['*'], ...more });
    const of = { node_type: 'generic', node_name: name, address: 'a' };
    return inventory.request('POST', '/v1/enrolment', { as: null, body: { token: body.token, node: of } });
  };
  expect(await enrol(NODE_NAME, { node_name: NODE_NAME })).toMatchObject({
    status: 201,
    body: { node: { node_id: nodeId } },
  });
  expect(await enrol('b\u00a0c')).toMatchObject({ status: 400, body: { details: [{ field: 'node.node_name' }] } });
});

test('a PMM client registers a host again under its stored name, but no new one', async () => {
  const { nodeId } = await stored();
  const register = (name: string) => {
    const body = { node_type: 'NODE_TYPE_GENERIC_NODE', node_name: name, address: '10.0.0.1', reregister: true };
    return call('POST', '/v1/management/nodes', body);
  };
  expect(await register(NODE_NAME)).toMatchObject({ status: 200, body: { generic_node: { node_id: nodeId } } });
  expect((await register('b\u00a0c')).status).toBe(400);
});

test('an older export is imported into its own inventory, and into another one line by line after a correction', async () => {
  await stored();
  const lines = await exported();
  const again = await importLines(lines);
  expect(again.body).toMatchObject({ unchanged: 4, refused: 0 });

  await wipe(inventory.table);
  const rehearsed = await importLines(lines, '?dry_run=true');
  const first = await importLines(lines);
  expect(first.body).toMatchObject({ added: 0, refused: 4 });
  expect(first.body.results.map(({ error }: any) => error.details.map(({ field }: any) => field))).toEqual([
    ['0.object.node_name', '0.object.address'],
    ['1.object.service_name', '1.object.address'],
    [],
    ['3.object.metrics_path'],
  ]);
  expect(rehearsed.body.results.map(({ outcome }: any) => outcome)).toEqual([
    'refused',
    'refused',
    'refused',
    'refused',
  ]);
  const corrected = lines
    .replaceAll(NODE_NAME, NODE_NAME.normalize('NFC'))
    .replaceAll(SERVICE_NAME, 'orders db')
    .replaceAll(ADDRESS, '10.0.0.1')
    .replaceAll(SERVICE_ADDRESS, '10.0.0.2')
    .replaceAll(METRICS_PATH, '/metrics');
  expect((await importLines(corrected)).body).toMatchObject({ added: 4, refused: 0 });
  expect(await exported()).toBe(corrected);
});

test('a line with a value only for stored objects is refused, and other lines are imported', async () => {
  const object = (more: object) => ({
    node_id: randomUUID(),
    node_type: 'generic',
    node_name: randomUUID(),
    address: 'a',
    ...more,
  });
  const lines = [{}, { address: '169.254.169.254' }, { node_name: NODE_NAME }, {}, { node_name: ' x' }].map((more) => ({
    kind: 'node',
    object: object(more),
  }));
  const { status, body } = await importLines(
    ['{"kind":"end","complete":true}', ...lines.map((line) => JSON.stringify(line))].join('\n'),
  );
  expect(status).toBe(200);
  expect(body).toMatchObject({ added: 2, refused: 3 });
  const details = body.results.flatMap(({ error }: any) => error?.details ?? []);
  expect(details).toMatchObject([
    { field: '2.object.address', message: expect.stringContaining('link-local') },
    { field: '3.object.node_name', message: expect.stringContaining('U+0065 U+0301 (character 4)') },
    { field: '5.object.node_name', message: expect.stringContaining('U+0020 (character 1)') },
  ]);
  // An existing object keeps its values, and takes no other one of this kind.
  const { node_id } = (await call('GET', '/v1/nodes')).body.nodes[0];
  const change = { ...lines[0]!.object, node_id, node_name: undefined };
  expect(
    (await importLines(JSON.stringify({ kind: 'node', object: { ...change, node_name: 'x', address: '::1' } }))).body,
  ).toMatchObject({ refused: 1 });
});
