import { randomUUID } from 'node:crypto';
import { addAgent, addNode, addService } from '../../../../tests/support/add.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

interface Group {
  targets: string[];
  labels: Record<string, string>;
}

/** A host with a key, its agent process and a service. */
async function host(more: object = {}) {
  const token = await inventory.request('POST', '/v1/enrolment-tokens', { body: { name: randomUUID() } });
  const node = { node_type: 'generic', node_name: randomUUID(), address: '10.7.7.7', region: randomUUID(), ...more };
  const body = { token: token.body.token, node };
  const { body: enrolled } = await inventory.request('POST', '/v1/enrolment', { as: null, body, sourceIp: '10.7.7.7' });
  const nodeId = String(enrolled.node.node_id);
  const key = { Authorization: `Bearer ${enrolled.api_key.key}` };
  const { agent_id: process } = await addAgent(inventory, { agent_type: 'pmm_agent', runs_on_node_id: nodeId });
  const service = await addService(inventory, { node_ids: [nodeId] });
  const exporter = (fields: object = {}) =>
    addAgent(inventory, {
      agent_type: 'mysqld_exporter',
      pmm_agent_id: process,
      listen_port: 42001,
      insights: { service_ids: [service.service_id] },
      ...fields,
    });
  const request = (method: string, path: string, options: object = {}) =>
    inventory.request(method, path, { as: null, headers: key, ...options });
  const discover = (query = '?node=self', headers = {}) =>
    request('GET', `/v1/discovery/prometheus${query}`, { headers: { ...key, ...headers } });
  const targets = async (query?: string): Promise<string[]> =>
    (await discover(query)).body.map(({ targets: [target] }: Group) => target);
  const report = (agents: object[], fields: object = {}) =>
    request('POST', `/v1/agents/${process}/report`, { body: { agents, ...fields } });
  return { nodeId, process: String(process), service, exporter, request, discover, targets, report };
}

const external = (more: object) => addAgent(inventory, { agent_type: 'external_exporter', listen_port: 9187, ...more });

test('a host gets its own targets, as its own scraper reaches them', async () => {
  const thisHost = await host();
  const other = await host();
  await other.exporter();
  const { agent_id: id } = await thisHost.exporter({ push_metrics: true });
  await external({ runs_on_node_id: thisHost.nodeId, metrics_path: '/m' });
  const { status, body } = await thisHost.discover();
  expect(status).toBe(200);
  expect(body).toMatchObject([
    { targets: ['10.7.7.7:9187'], labels: { job: 'external_exporter', __metrics_path__: '/m' } },
    {
      targets: ['127.0.0.1:42001'],
      labels: {
        instance: '10.7.7.7:42001',
        job: 'mysqld_exporter',
        __meta_inventory_agent_id: id,
        __meta_inventory_node_id: thisHost.nodeId,
        __meta_inventory_service_name: thisHost.service.service_name,
        __meta_inventory_push_metrics: 'true',
      },
    },
  ]);
  expect(await thisHost.targets('?node=self&selector=agent_type%3Dexternal_exporter')).toEqual(['10.7.7.7:9187']);
  const byId = await inventory.request('GET', `/v1/discovery/prometheus?node=${thisHost.nodeId}`, { as: 'Viewer' });
  expect(byId.body).toEqual(body);
});

test('an exporter without a node belongs to the host that it monitors, if it monitors nothing elsewhere', async () => {
  const [thisHost, other] = [await host(), await host()];
  const { service_id: shared } = await addService(inventory, { node_ids: [thisHost.nodeId, other.nodeId] });
  const ownServiceId = thisHost.service.service_id;
  await external({ listen_port: 1, insights: { service_ids: [ownServiceId] } });
  await external({ listen_port: 2, insights: { node_ids: [thisHost.nodeId] } });
  await external({ listen_port: 3, insights: { service_ids: [shared] } });
  await external({ listen_port: 4, insights: { node_ids: [thisHost.nodeId], service_ids: [shared] } });
  await external({ listen_port: 5, insights: { node_ids: [thisHost.nodeId, other.nodeId] } });
  await external({ listen_port: 6, runs_on_node_id: other.nodeId, insights: { service_ids: [ownServiceId] } });
  await external({ listen_port: 7 });
  const ports = async ({ targets }: typeof thisHost) => (await targets()).map((target) => target.split(':')[1]).sort();
  expect([await ports(thisHost), await ports(other)]).toEqual([['1', '2'], ['6']]);
});

test('an exporter of remote objects is a target on its own node, with their labels', async () => {
  const thisHost = await host();
  const rds = await addNode(inventory, { node_type: 'remote_rds', address: randomUUID(), region: 'eu' });
  await thisHost.exporter({ agent_type: 'rds_exporter', insights: { node_ids: [rds.node_id] } });
  const { body } = await thisHost.discover();
  expect(body).toMatchObject([{ labels: { __meta_inventory_insight_node_name: rds.node_name } }]);
});

test('an undeclared port is the reported one, for one host and for all', async () => {
  const thisHost = await host();
  const reported = await thisHost.exporter({ listen_port: undefined });
  const declared = await thisHost.exporter({ agent_type: 'node_exporter', insights: undefined, listen_port: 42002 });
  expect(await thisHost.targets()).toEqual(['127.0.0.1:42002']);
  const status = (agent: { agent_id: string }, port: number) => ({
    agent_id: agent.agent_id,
    status: 'running',
    listen_port: port,
  });
  await thisHost.report([status(reported, 43001), status(declared, 43002)]);
  expect(await thisHost.targets()).toEqual(['127.0.0.1:43001', '127.0.0.1:42002']);
  const selector = `region=${(await thisHost.request('GET', `/v1/nodes/${thisHost.nodeId}`)).body.region}`;
  const path = `/v1/discovery/prometheus?selector=${encodeURIComponent(selector)}`;
  const { body } = await inventory.request('GET', path, { as: 'Viewer' });
  const addresses = body.map(({ targets: [target] }: Group) => target);
  expect(addresses.sort()).toEqual(['10.7.7.7:42002', '10.7.7.7:43001']);
});

test('a Registrar gets only the targets of its own node', async () => {
  const [thisHost, other] = [await host(), await host()];
  await other.exporter();
  for (const query of ['', `?node=${other.nodeId}`, '?selector=a%3Db', '?shard=0/2', `?node=${randomUUID()}`]) {
    const { status, text } = await thisHost.discover(query);
    expect([query, status]).toEqual([query, 403]);
    expect(text).not.toContain(String(other.service.service_name));
  }
  expect(await thisHost.targets(`?node=${thisHost.nodeId}`)).toEqual([]);
});

test.each(['Viewer', 'Editor', 'Admin'] as const)('self is refused for a %s, whose key has no node', async (as) => {
  const reply = await inventory.request('GET', '/v1/discovery/prometheus?node=self', { as });
  expect(reply).toMatchObject({ status: 400, body: { details: [{ field: 'node', reason: 'invalid_value' }] } });
});

test.each(['shard=0/2', 'networks=10.0.0.0/8'])('%s is refused with a node', async (parameter) => {
  const { discover } = await host();
  const [field] = parameter.split('=');
  expect(await discover(`?node=self&${parameter}`)).toMatchObject({
    status: 400,
    body: { details: [{ field, reason: 'not_allowed' }] },
  });
});

test('an unknown node, and the removed node of a key, are a 404', async () => {
  const unknown = await inventory.request('GET', `/v1/discovery/prometheus?node=${randomUUID()}`, { as: 'Viewer' });
  expect(unknown.status).toBe(404);
  const { nodeId, discover } = await host();
  await inventory.request('DELETE', `/v1/nodes/${nodeId}?force=true`, { as: 'Admin' });
  expect((await discover()).status).toBe(404);
});

test('unchanged targets are a 304, changed ones are not', async () => {
  const thisHost = await host();
  const { agent_id: id } = await thisHost.exporter();
  const tag = (await thisHost.discover()).headers['ETag']!;
  const again = await thisHost.discover('?node=self', { 'If-None-Match': tag });
  expect([again.status, again.text, again.headers['ETag']]).toEqual([304, '', tag]);
  await inventory.request('PATCH', `/v1/agents/${id}`, { as: 'Editor', body: { custom_labels: { new: 'one' } } });
  expect((await thisHost.discover('?node=self', { 'If-None-Match': tag })).status).toBe(200);
});

describe('the digest in the reply to a report', () => {
  const tagOf = async ({ discover }: Awaited<ReturnType<typeof host>>) => (await discover()).headers['ETag'];

  test("is the ETag of the host's targets, also with a port from the same report", async () => {
    const thisHost = await host();
    const { agent_id: id } = await thisHost.exporter({ listen_port: undefined });
    const hashes = new Set<string>();
    const expectEqual = async (agents: object[]) => {
      const { body } = await thisHost.report(agents, { with_targets_hash: true });
      expect(`W/"${body.targets_hash}"`).toBe(await tagOf(thisHost));
      hashes.add(body.targets_hash);
    };
    await expectEqual([]);
    for (const listen_port of [43001, 43001, 43002])
      await expectEqual([{ agent_id: id, status: 'running', listen_port }]);
    expect(hashes.size).toBe(3);
    expect((await thisHost.report([])).body).not.toHaveProperty('targets_hash');
  });

  test('changes with each object that a target shows', async () => {
    const thisHost = await host();
    const rds = await addNode(inventory, { node_type: 'remote_rds', address: randomUUID(), region: 'eu' });
    const { agent_id: id } = await thisHost.exporter({ push_metrics: true });
    await thisHost.exporter({ agent_type: 'rds_exporter', insights: { node_ids: [rds.node_id] } });
    const hash = async () => (await thisHost.report([], { with_targets_hash: true })).body.targets_hash as string;
    const hashes = [await hash()];
    const paths = [
      `nodes/${thisHost.nodeId}`,
      `services/${thisHost.service.service_id}`,
      `nodes/${rds.node_id}`,
      `agents/${id}`,
    ];
    for (const path of paths) {
      const body = { custom_labels: { changed: path } };
      await inventory.request('PATCH', `/v1/${path}`, { as: 'Editor', body });
      hashes.push(await hash());
    }
    await external({ insights: { service_ids: [thisHost.service.service_id] } });
    hashes.push(await hash());
    await thisHost.request('DELETE', `/v1/agents/${id}`);
    hashes.push(await hash(), await hash());
    expect(new Set(hashes).size).toBe(hashes.length - 1);
  });

  test("is in a relay's results for the hosts that request it", async () => {
    const [thisHost, other] = [await host(), await host()];
    await thisHost.exporter();
    const reports = [
      { pmm_agent_id: thisHost.process, agents: [], with_targets_hash: true },
      { pmm_agent_id: other.process, agents: [] },
    ];
    const results = async () =>
      (await inventory.request('POST', '/v1/reports', { as: 'Relay', body: { reports } })).body.results;
    // Also for a report that is not stored.
    for (let round = 0; round < 2; round += 1) {
      const [first, second] = await results();
      expect(`W/"${first.report.targets_hash}"`).toBe(await tagOf(thisHost));
      expect(second.report).not.toHaveProperty('targets_hash');
    }
  });
});
