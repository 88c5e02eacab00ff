/** The management API of PMM 3: hosts, services with their agents, flat lists. */
import { managedServices } from '../../functions/pmm/declarations/management.ts';
import { agentDeclaration } from '../../functions/pmm/declarations/agents.ts';
import { checkInvariants } from '../consistency/invariants.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { sampleOf } from './objects.ts';
import { CANARY, clientOf, uniqueName } from './pmm-client.ts';

let inventory: Inventory;
let client: ReturnType<typeof clientOf>;
beforeAll(async () => {
  inventory = await startInventory();
  client = clientOf(inventory);
});
afterAll(async () => {
  const broken = await checkInvariants(inventory.table);
  await inventory.stop();
  expect(broken).toEqual([]);
});

const NODES = '/v1/management/nodes';
const SERVICES = '/v1/management/services';

const host = (more: object = {}) => ({
  ...{ node_type: 'NODE_TYPE_GENERIC_NODE', node_name: uniqueName('host'), address: '10.0.0.1' },
  ...more,
});

const registeredHost = async (more: object = {}) => {
  const reply = await client.post(NODES, host(more));
  return { nodeId: reply.generic_node.node_id as string, pmmAgentId: reply.pmm_agent.agent_id as string, reply };
};

describe('a registration', () => {
  test('adds the node, its agent process and a node_exporter', async () => {
    const sent = host({ metrics_mode: 'METRICS_MODE_AUTO', disable_collectors: ['zfs'], agent_password: CANARY });
    const reply = await client.post(NODES, sent);
    const { node_id: nodeId } = reply.generic_node;
    expect(reply).toEqual({
      generic_node: expect.objectContaining({ node_name: sent.node_name, address: '10.0.0.1' }),
      container_node: null,
      pmm_agent: {
        agent_id: expect.any(String),
        ...{ runs_on_node_id: nodeId, custom_labels: {}, connected: false, process_exec_path: '' },
      },
      token: '',
      warning: expect.stringContaining('stores no credentials'),
    });
    const { node_exporter: exporters } = await client.get(
      `/v1/inventory/agents?pmm_agent_id=${reply.pmm_agent.agent_id}`,
    );
    expect(exporters).toMatchObject([{ push_metrics_enabled: true, disabled_collectors: ['zfs'] }]);
  });

  test('again keeps the ids, the services and what PMM cannot express; without reregister it is refused', async () => {
    const sent = host({ region: uniqueName('region'), custom_labels: { a: '1' } });
    const { generic_node: node, pmm_agent: process } = await client.post(NODES, sent);
    const added = await inventory.request('PATCH', `/v1/nodes/${node.node_id}`, { body: { stale_after: '7m' } });
    expect(added.status).toBe(200);
    const service = { mysql: { node_id: node.node_id, service_name: uniqueName('db'), socket: '/s' } };
    const { mysql } = await client.post('/v1/inventory/services', service);
    expect(await client.send('POST', NODES, sent)).toMatchObject({
      status: 409,
      body: { code: 6, message: `Node with name "${sent.node_name}" already exists.` },
    });
    const again = {
      ...sent,
      reregister: true,
      region: '',
      custom_labels: { b: '2' },
      metrics_mode: 'METRICS_MODE_PULL',
    };
    const second = await client.post(NODES, again);
    expect(second.generic_node).toEqual({ ...node, region: '', custom_labels: { b: '2' } });
    expect(second.pmm_agent).toEqual(process);
    expect(await client.post(NODES, again)).toEqual(second);
    const { node_exporter: exporters } = await client.get(`/v1/inventory/agents?pmm_agent_id=${process.agent_id}`);
    expect(exporters).toMatchObject([{ push_metrics_enabled: false }]);
    expect(await client.get(`/v1/inventory/services/${mysql.service_id}`)).toEqual({ mysql });
    expect((await inventory.request('GET', `/v1/nodes/${node.node_id}`)).body).toMatchObject({ stale_after: '7m' });
  });

  test('with the address of another node in the region is refused, and with reregister replaces that node', async () => {
    const place = { address: '10.9.9.9', region: uniqueName('region') };
    const { nodeId } = await registeredHost(place);
    const other = host(place);
    expect(await client.send('POST', NODES, other)).toMatchObject({
      status: 409,
      body: { message: `Node with address "10.9.9.9" and region "${place.region}" already exists.` },
    });
    const { generic_node: node } = await client.post(NODES, { ...other, reregister: true });
    expect(node.node_id).not.toBe(nodeId);
    expect((await client.send('GET', `/v1/inventory/nodes/${nodeId}`)).status).toBe(404);
  });

  test('without an address has the name of the node, and needs a name and a type', async () => {
    const { generic_node: node } = await client.post(NODES, host({ address: undefined, node_name: 'db-7.example' }));
    expect(node.address).toBe('db-7.example');
    expect((await client.send('POST', NODES, {})).body.message).toBe(
      'invalid RegisterNodeRequest.NodeName: value length must be at least 1 runes',
    );
    expect((await client.send('POST', NODES, { node_name: 'x' })).body.message).toBe(
      'Unsupported Node type "NODE_TYPE_UNSPECIFIED".',
    );
  });

  test('of a container', async () => {
    const reply = await client.post(
      NODES,
      host({ node_type: 'NODE_TYPE_CONTAINER_NODE', container_id: uniqueName('c') }),
    );
    expect(reply).toMatchObject({ generic_node: null, container_node: { container_name: '' } });
  });
});

describe.each(managedServices)('$key', ({ key, title, agents, required, service: type }) => {
  const message = async () => {
    const { nodeId, pmmAgentId } = await registeredHost();
    const flags = Object.fromEntries(agents.flatMap(({ flag }) => (flag === undefined ? [] : [[flag, true]])));
    const fields = agents.map((agent) => sampleOf(agentDeclaration(agent.type).fields));
    return {
      ...Object.assign({}, ...fields),
      ...{ ...flags, service_name: uniqueName('service'), node_id: nodeId, pmm_agent_id: pmmAgentId },
      ...(key === 'external' ? { runs_on_node_id: nodeId } : { runs_on_node_id: undefined }),
      ...{ address: '10.0.0.1', port: 3306, custom_labels: { team: 'shop' }, metrics_mode: 'METRICS_MODE_AUTO' },
      ...{ skip_connection_check: true, disable_collectors: null, max_slowlog_file_size: '0' },
    } as Record<string, unknown>;
  };

  test('is added with all its agents in one reply, and removed by its name with them', async () => {
    const sent = await message();
    const reply = (await client.post(SERVICES, { [key]: sent }))[key];
    expect(reply.service).toMatchObject({ service_name: sent['service_name'], custom_labels: { team: 'shop' } });
    const { service_id: serviceId } = reply.service;
    for (const { reply: name, type: agentType } of agents) {
      const labels = agentType === 'external_exporter' ? { team: 'shop' } : {};
      expect(reply[name]).toMatchObject({ service_id: serviceId, custom_labels: labels });
    }
    const listed = await client.get(`/v1/inventory/agents?service_id=${serviceId}`);
    for (const agent of agents) expect(listed[agent.type]).toEqual([reply[agent.reply]]);
    expect(reply[agents[0]!.reply].push_metrics_enabled).toBe(true);
    const other = type === 'mysql' ? 'MONGODB' : 'MYSQL';
    const path = `${SERVICES}/${encodeURIComponent(String(sent['service_name']))}`;
    expect((await client.send('DELETE', `${path}?service_type=SERVICE_TYPE_${other}_SERVICE`)).body).toMatchObject({
      ...{ code: 3, message: 'wrong service type' },
    });
    expect(await client.remove(`${path}?service_type=SERVICE_TYPE_${type.toUpperCase()}_SERVICE`)).toEqual({});
    for (const { reply: name } of agents)
      expect((await client.send('GET', `/v1/inventory/agents/${reply[name].agent_id}`)).status).toBe(404);
  });

  test('names its first missing field, wants one node, and adds nothing when an agent is refused', async () => {
    const sent = await message();
    const given: Record<string, unknown> = {};
    for (const name of required) {
      const shown = name.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
      const rule =
        name === 'listen_port' ? 'value must be inside range (0, 65536)' : 'value length must be at least 1 runes';
      expect((await client.send('POST', SERVICES, { [key]: given })).body.message).toBe(
        `invalid Add${title}ServiceParams.${shown}: ${rule}`,
      );
      given[name] = sent[name];
    }
    const one = 'expected only one param; node id, node name or register node params';
    for (const place of [{ node_id: '', runs_on_node_id: undefined }, { node_name: 'x' }])
      expect((await client.send('POST', SERVICES, { [key]: { ...sent, ...place } })).body.message).toBe(one);
    if (key === 'haproxy' || key === 'external') return;
    const name = uniqueName('refused');
    const refused = await client.send('POST', SERVICES, { [key]: { ...sent, service_name: name, pmm_agent_id: 'x' } });
    expect([refused.status, refused.body.message]).toEqual([404, 'Agent with ID x not found.']);
    expect(JSON.stringify(await client.get('/v1/inventory/services'))).not.toContain(name);
  });
});

test('a service on a node that the call adds: remote, with the address of the service', async () => {
  const name = uniqueName('serverless');
  const add = { node_type: 'NODE_TYPE_REMOTE_NODE', node_name: name };
  const sent = { add_node: add, address: '127.0.0.1', service_name: name, listen_port: 9093, group: 'external' };
  const { external } = await client.post(SERVICES, { external: { ...sent, metrics_mode: 'METRICS_MODE_PULL' } });
  expect(external.external_exporter).toMatchObject({ runs_on_node_id: external.service.node_id, listen_port: 9093 });
  expect(await client.get(`/v1/inventory/nodes/${external.service.node_id}`)).toMatchObject({
    remote: { address: name },
  });
  const refused = { ...sent, address: '', add_node: { ...add, node_name: uniqueName('s') } };
  expect((await client.send('POST', SERVICES, { external: refused })).body.message).toBe(
    "address can't be empty for add node request.",
  );
});

test('a database of RDS: node, service, exporters', async () => {
  const { pmmAgentId } = await registeredHost();
  const sent = {
    ...{ region: 'us-east-1', instance_id: uniqueName('rds'), address: 'db.example', port: 3306, username: 'u' },
    ...{
      engine: 'DISCOVER_RDS_ENGINE_MYSQL',
      rds_exporter: true,
      qan_mysql_perfschema: true,
      pmm_agent_id: pmmAgentId,
    },
    ...{ aws_secret_key: CANARY, password: CANARY, az: 'us-east-1b' },
  };
  const { rds } = await client.post(SERVICES, { rds: sent });
  expect(rds).toMatchObject({
    node: {
      node_name: sent.instance_id,
      address: sent.instance_id,
      instance_id: sent.instance_id,
      region: 'us-east-1',
    },
    mysql: { service_name: sent.instance_id, address: 'db.example' },
    rds_exporter: { node_id: rds.node.node_id },
    qan_mysql_perfschema: { service_id: rds.mysql.service_id },
  });
  const other = { mysql: { node_id: rds.node.node_id, service_name: uniqueName('second'), socket: '/s' } };
  const { mysql: second } = await client.post('/v1/inventory/services', other);
  const status = async (path: string) => (await client.send('GET', `/v1/inventory/${path}`)).status;
  // The node stays while another service is on it, and goes with the last one, with its exporter.
  await client.remove(`/v1/inventory/services/${second.service_id}?force=true`);
  expect(await status(`nodes/${rds.node.node_id}`)).toBe(200);
  await client.remove(`/v1/management/services/${sent.instance_id}`);
  const gone = [`nodes/${rds.node.node_id}`, `agents/${rds.rds_exporter.agent_id}`, `services/${rds.mysql.service_id}`];
  for (const path of gone) expect([path, await status(path)]).toEqual([path, 404]);
  expect(await status(`agents/${pmmAgentId}`)).toBe(200);
});

test('flat lists show services, agents, states and a report', async () => {
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
  const node = nodes.find((one: any) => one.node_id === nodeId);
  expect(node).toMatchObject({ node_type: 'generic', status: 'STATUS_UP', services: [{ service_type: 'mysql' }] });
  expect(node.agents).toContainEqual({ agent_id: pmmAgentId, agent_type: 'pmm-agent', status: '', is_connected: true });
  expect(await client.get(`${NODES}/${nodeId}`)).toEqual({ node });
  const { services } = await client.get(`${SERVICES}?node_id=${nodeId}`);
  expect(services).toMatchObject([
    { service_id: mysql.service.service_id, node_name: node.node_name, status: 'STATUS_UP' },
  ]);
  const { agents } = await client.get(`/v1/management/agents?service_id=${mysql.service.service_id}`);
  const own = [
    ['mysqld_exporter', 'AGENT_STATUS_RUNNING'],
    ['pmm-agent', ''],
  ];
  expect(agents.map((one: any) => [one.agent_type, one.status]).sort()).toEqual(own);
  expect(services[0].agents.map((one: any) => one.agent_type).sort()).toEqual(['mysqld_exporter', 'pmm-agent']);
  const ofNode = (await client.get(`/v1/management/agents?node_id=${nodeId}`)).agents;
  expect(ofNode.map((one: any) => one.agent_type).sort()).toEqual(['node_exporter', 'pmm-agent']);
  expect(node.agents.map((one: any) => one.agent_type).sort()).toEqual(['node_exporter', 'pmm-agent']);
  const { agent_versions: versions } = await client.get('/v1/management/agents/versions');
  expect(versions).toContainEqual(expect.objectContaining({ agent_id: pmmAgentId, node_name: node.node_name }));
});

test('a host is removed: refused while it has agents, and with force with all of them', async () => {
  const { nodeId } = await registeredHost();
  expect((await client.send('DELETE', `${NODES}/${nodeId}`)).body).toMatchObject({
    ...{ code: 9, message: `Node with ID "${nodeId}" has agents.` },
  });
  expect(await client.remove(`${NODES}/${nodeId}?force=true`)).toEqual({ warning: '' });
});

test('an annotation is an entry of the audit', async () => {
  const sent = { text: uniqueName('deployed'), tags: ['a', ''], service_names: [] };
  expect(await client.post('/v1/management/annotations', sent)).toEqual({});
  const { body } = await inventory.request('GET', '/v1/audit?event=annotation.added');
  expect(body.entries).toMatchObject([{ subject: { kind: 'annotation', name: sent.text }, after: { tags: ['a'] } }]);
  const send = async (more: object) =>
    (await client.send('POST', '/v1/management/annotations', { ...sent, ...more })).body;
  expect(await send({ text: '' })).toMatchObject({ code: 3 });
  expect(await send({ node_name: 'no' })).toMatchObject({ code: 5, message: 'Node with name "no" not found.' });
  expect(await send({ service_names: ['no'] })).toMatchObject({
    code: 5,
    message: 'Service with name "no" not found.',
  });
});
