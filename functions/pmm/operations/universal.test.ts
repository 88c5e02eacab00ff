/** The flat messages of the management API in both generations: nodes, services and agents with what is related. */
import { addHost } from '../../../tests/support/add.ts';
import { uniqueName } from '../../../tests/pmm/pmm-client.ts';
import { startPmmInventory } from '../../../tests/pmm/pmm-inventory.ts';

const { inventory, client, registeredHost } = await startPmmInventory();

const NODES = '/v1/management/nodes';
const SERVICES = '/v1/management/services';

const second = (call: string, body: object) => client.post(`/v1/management/${call}`, body);

const isZero = (value: unknown) =>
  value === null || ['', 0, '0', false, 'LOG_LEVEL_UNSPECIFIED'].includes(value as string) || isEmpty(value);
const isEmpty = (value: unknown) => typeof value === 'object' && Object.keys(value as object).length === 0;

/** A message of generation 3 in the form of generation 2: no value zero, ids with a prefix, names without one. */
function inSecond(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => inSecond(name, item));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, member]) => (isZero(member) ? [] : [[key, inSecond(key, member)]])),
    );
  if (typeof value !== 'string') return value;
  if (/(node|service|agent)_id$/.test(name)) return `/${/(node|service|agent)_id$/.exec(name)![0]}/${value}`;
  if (name === 'log_level') return value.replace('LOG_LEVEL_', '').toLowerCase();
  return value.replace(/^AGENT_STATUS_/, '');
}

async function addDatabase() {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  const service = {
    ...{ node_id: nodeId, pmm_agent_id: pmmAgentId, service_name: uniqueName('universal'), environment: 'e' },
    custom_labels: { rack: 'r1' },
    ...{ address: '10.0.0.1', port: 3306, username: 'u', log_level: 'warn', qan_mysql_perfschema: true },
  };
  const { service: added, mysqld_exporter: exporter } = await second('MySQL/Add', service);
  return { nodeId, serviceId: added.service_id.replace('/service_id/', ''), exporter, name: service.service_name };
}

test('generation 2 lists services with their agents, as generation 3 does', async () => {
  const { nodeId, serviceId, name } = await addDatabase();
  const { services } = await client.get(`/v1/management/services?node_id=${nodeId}`);
  expect(services).toHaveLength(1);
  expect(services[0].agents.length).toBeGreaterThan(2);
  const expected = { services: inSecond('', services) };
  expect(await second('Service/List', { node_id: nodeId })).toEqual(expected);
  expect(await second('Service/List', { node_id: `/node_id/${nodeId}`, service_type: 'MYSQL_SERVICE' })).toEqual(
    expected,
  );
  expect(expected.services).toEqual([
    expect.objectContaining({
      ...{ service_id: `/service_id/${serviceId}`, service_type: 'mysql', service_name: name, environment: 'e' },
      ...{ node_id: `/node_id/${nodeId}`, address: '10.0.0.1', port: 3306, status: 'STATUS_UNKNOWN' },
      custom_labels: { rack: 'r1' },
    }),
  ]);
  const exporter = (await second('Service/List', { node_id: nodeId })).services[0].agents.find(
    (agent: { agent_type: string }) => agent.agent_type === 'mysqld_exporter',
  );
  expect(exporter).toMatchObject({ service_id: `/service_id/${serviceId}`, status: 'UNKNOWN', log_level: 'warn' });
  expect(exporter).not.toHaveProperty('disabled');
  expect(await second('Service/List', { node_id: nodeId, service_type: 'MONGODB_SERVICE' })).toEqual({});
  expect((await second('Service/List', {})).services).toContainEqual((expected.services as object[])[0]);
});

test('generation 2 gets and lists nodes with their services and agents, as generation 3 does', async () => {
  const { nodeId, serviceId, name } = await addDatabase();
  const { node } = await client.get(`/v1/management/nodes/${nodeId}`);
  const expected = inSecond('', node);
  expect(expected).toMatchObject({
    ...{ node_id: `/node_id/${nodeId}`, node_type: 'generic', status: 'STATUS_UNKNOWN' },
    services: [{ service_id: `/service_id/${serviceId}`, service_type: 'mysql', service_name: name }],
    agents: [{ agent_id: expect.stringMatching(/^\/agent_id\//), agent_type: 'pmm-agent' }],
  });
  expect(await second('Node/Get', { node_id: nodeId })).toEqual({ node: expected });
  expect(await second('Node/Get', { node_id: `/node_id/${nodeId}` })).toEqual({ node: expected });
  expect((await second('Node/List', { node_type: 'GENERIC_NODE' })).nodes).toContainEqual(expected);
  expect((await second('Node/List', {})).nodes).toContainEqual(expected);
  expect(await second('Node/List', { node_type: 'REMOTE_NODE' })).toEqual({});
  const missing = await client.send('POST', '/v1/management/Node/Get', { node_id: '/node_id/none' });
  expect([missing.status, missing.body.code, missing.body.message]).toEqual([
    ...[404, 5, 'Node with ID "/node_id/none" not found.'],
  ]);
});

test('generation 2 lists the agents of a service or of a node, as generation 3 does', async () => {
  const { nodeId, serviceId } = await addDatabase();
  for (const [name, id] of [
    ['service_id', serviceId],
    ['node_id', nodeId],
  ] as const) {
    const { agents } = await client.get(`/v1/management/agents?${name}=${id}`);
    expect(agents.length).toBeGreaterThan(0);
    expect(await second('Agent/List', { [name]: id })).toEqual({ agents: inSecond('', agents) });
  }
  for (const [filter, message] of [
    [{}, 'Either service_id or node_id is expected.'],
    [{ service_id: serviceId, node_id: nodeId }, 'Either service_id or node_id is expected, not both.'],
  ] as const) {
    const { status, body } = await client.send('POST', '/v1/management/Agent/List', filter);
    expect([status, body.code, body.message]).toEqual([400, 3, message]);
  }
});

test('flat lists contain services, agents, states and reports', async () => {
  const { nodeId, pmmAgentId } = await registeredHost();
  const sent = {
    node_id: nodeId,
    pmm_agent_id: pmmAgentId,
    service_name: uniqueName('db'),
    username: 'u',
    socket: '/s',
  };
  const { mysql } = await client.post(SERVICES, { mysql: sent });
  const report = { agents: [{ agent_id: mysql.mysqld_exporter.agent_id, status: 'running' }] };
  expect((await inventory.request('POST', `/v1/agents/${pmmAgentId}/report`, { body: report })).status).toBe(200);
  const { nodes } = await client.get(NODES);
  const node = nodes.find((listedNode: any) => listedNode.node_id === nodeId);
  expect(node).toMatchObject({ node_type: 'generic', status: 'STATUS_UP', services: [{ service_type: 'mysql' }] });
  expect(node.agents).toContainEqual({ agent_id: pmmAgentId, agent_type: 'pmm-agent', status: '', is_connected: true });
  expect(await client.get(`${NODES}/${nodeId}`)).toEqual({ node });
  const { services } = await client.get(`${SERVICES}?node_id=${nodeId}`);
  expect(services).toMatchObject([
    { service_id: mysql.service.service_id, node_name: node.node_name, status: 'STATUS_UP' },
  ]);
  const { agents } = await client.get(`/v1/management/agents?service_id=${mysql.service.service_id}`);
  const expected = [
    ['mysqld_exporter', 'AGENT_STATUS_RUNNING'],
    ['pmm-agent', ''],
  ];
  expect(agents.map((agent: any) => [agent.agent_type, agent.status]).sort()).toEqual(expected);
  expect(services[0].agents.map((agent: any) => agent.agent_type).sort()).toEqual(['mysqld_exporter', 'pmm-agent']);
  const ofNode = (await client.get(`/v1/management/agents?node_id=${nodeId}`)).agents;
  expect(ofNode.map((agent: any) => agent.agent_type).sort()).toEqual(['node_exporter', 'pmm-agent']);
  expect(node.agents.map((agent: any) => agent.agent_type).sort()).toEqual(['node_exporter', 'pmm-agent']);
  const { agent_versions: versions } = await client.get('/v1/management/agents/versions');
  expect(versions).toContainEqual(expect.objectContaining({ agent_id: pmmAgentId, node_name: node.node_name }));
});

test('flat lists are sorted by id, and take one filter', async () => {
  for (let count = 0; count < 4; count += 1) await addDatabase();
  const { nodes } = await client.get(NODES);
  const { services } = await client.get(SERVICES);
  for (const [all, name] of [
    [nodes, 'node_id'],
    [services, 'service_id'],
  ]) {
    const ids = all.map((item: any) => item[name]);
    expect(ids.length).toBeGreaterThan(3);
    expect(ids).toEqual([...ids].sort());
  }
  const text = async (query: string) => (await client.send('GET', `/v1/management/agents${query}`)).body.message;
  expect(await text('')).toBe('Either service_id or node_id is expected.');
  expect(await text('?service_id=a&node_id=b')).toBe('Either service_id or node_id is expected, not both.');
});

test('many agents of a service are shortened, and those of other services are whole', async () => {
  const { nodeId, serviceId } = await addDatabase();
  const other = await addDatabase();
  const agent = { agent_type: 'pmm_agent', runs_on_node_id: nodeId, custom_labels: { text: 'x'.repeat(1000) } };
  for (let count = 0; count < 30; count += 1)
    expect((await inventory.request('POST', '/v1/agents', { body: agent })).status).toBe(201);
  const { services } = await client.get(SERVICES);
  const agentsOf = (id: string) => services.find((service: any) => service.service_id === id).agents;
  const short = agentsOf(serviceId);
  expect(short.length).toBeGreaterThan(30);
  for (const agent of short)
    expect(Object.keys(agent).sort()).toEqual(['agent_id', 'agent_type', 'is_connected', 'status']);
  for (const agent of agentsOf(other.serviceId)) expect(agent).toHaveProperty('custom_labels');
});
