import { CANARY, uniqueName } from '../../../tests/pmm/pmm-client.ts';
import { hostMessage, startPmmInventory } from '../../../tests/pmm/pmm-inventory.ts';

const { inventory, client, registeredHost } = await startPmmInventory();

const NODES = '/v1/management/nodes';

describe('a registration', () => {
  test('adds the node, its agent process and a node_exporter', async () => {
    const sent = hostMessage({
      metrics_mode: 'METRICS_MODE_AUTO',
      disable_collectors: ['zfs'],
      agent_password: CANARY,
    });
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
    expect(exporters).toMatchObject([
      { push_metrics_enabled: false, expose_exporter: false, disabled_collectors: ['zfs'] },
    ]);
  });

  test('keeps the ids, the services and what PMM cannot express when repeated with reregister, and is refused without', async () => {
    const sent = hostMessage({ region: uniqueName('region'), custom_labels: { a: '1' } });
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
      metrics_mode: 'METRICS_MODE_PUSH',
    };
    const second = await client.post(NODES, again);
    expect(second.generic_node).toEqual({ ...node, region: '', custom_labels: { b: '2' } });
    expect(second.pmm_agent).toEqual(process);
    expect(await client.post(NODES, again)).toEqual(second);
    const { node_exporter: exporters } = await client.get(`/v1/inventory/agents?pmm_agent_id=${process.agent_id}`);
    expect(exporters).toMatchObject([{ push_metrics_enabled: true }]);
    expect(await client.get(`/v1/inventory/services/${mysql.service_id}`)).toEqual({ mysql });
    expect((await inventory.request('GET', `/v1/nodes/${node.node_id}`)).body).toMatchObject({ stale_after: '7m' });
  });

  test('with the address of another node in the region is refused, or with reregister replaces that node', async () => {
    const place = { address: '10.9.9.9', region: uniqueName('region') };
    const { nodeId } = await registeredHost(place);
    const other = hostMessage(place);
    expect(await client.send('POST', NODES, other)).toMatchObject({
      status: 409,
      body: { message: `Node with address "10.9.9.9" and region "${place.region}" already exists.` },
    });
    const { generic_node: node } = await client.post(NODES, { ...other, reregister: true });
    expect(node.node_id).not.toBe(nodeId);
    expect((await client.send('GET', `/v1/inventory/nodes/${nodeId}`)).status).toBe(404);
  });

  test("without an address has the node's name, and requires a name and a type", async () => {
    const { generic_node: node } = await client.post(
      NODES,
      hostMessage({ address: undefined, node_name: 'db-7.example' }),
    );
    expect(node.address).toBe('db-7.example');
    expect((await client.send('POST', NODES, {})).body.message).toBe(
      'invalid RegisterNodeRequest.NodeName: value length must be at least 1 runes',
    );
    expect((await client.send('POST', NODES, { node_name: 'x' })).body.message).toBe(
      'Unsupported Node type "NODE_TYPE_UNSPECIFIED".',
    );
  });

  test('may be of a container', async () => {
    const reply = await client.post(
      NODES,
      hostMessage({ node_type: 'NODE_TYPE_CONTAINER_NODE', container_id: uniqueName('c') }),
    );
    expect(reply).toMatchObject({ generic_node: null, container_node: { container_name: '' } });
  });
});

test('a registration whose name is no address, from the machine itself, gets the name with hyphens', async () => {
  const host = { node_type: 'NODE_TYPE_GENERIC_NODE', node_name: `a host/${uniqueName('n')} ` };
  const sent = { ...host, node_name: host.node_name.trim() };
  const { generic_node: node } = await client.post(NODES, sent, { sourceIp: '127.0.0.1' });
  expect(node.address).toBe(sent.node_name.replace(/[ /]/g, '-'));
  const remote = { ...sent, node_name: `${sent.node_name} 2` };
  const { generic_node: other } = await client.post(NODES, remote, { sourceIp: '10.1.2.3' });
  expect(other.address).toBe('10.1.2.3');
  const addressOf = async (name: string) =>
    (await client.post(NODES, { ...host, node_name: name }, { sourceIp: '127.0.0.1' })).generic_node.address;
  // Digits alone are a number to a URL parser, and a part of a host name has 63 characters at most.
  expect(await addressOf('271828182845')).toBe('node-271828182845');
  expect(await addressOf('h'.repeat(70))).toBe('h'.repeat(63));
});

test.each(['10.0.0.256', '1.2.3', 'db..example.com'])(
  'a registration with the address %s is refused',
  async (address) => {
    const { status, body } = await client.send('POST', NODES, hostMessage({ address }));
    expect([status, body.code, body.message]).toEqual([400, 3, expect.stringContaining('Must be a host name')]);
  },
);

test('removing a host is refused while it has agents, and with force removes them', async () => {
  const { nodeId } = await registeredHost();
  expect((await client.send('DELETE', `${NODES}/${nodeId}`)).body).toMatchObject({
    ...{ code: 9, message: `Node with ID "${nodeId}" has agents.` },
  });
  expect(await client.remove(`${NODES}/${nodeId}?force=true`)).toEqual({ warning: '' });
});
