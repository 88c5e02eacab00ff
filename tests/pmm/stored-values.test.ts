/** What PMM makes of the values in a request: defaults, rounding, trimming; and what its errors say of them. */
import { addHost, addNode, addService } from '../support/add.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { clientOf, uniqueName } from './pmm-client.ts';

let inventory: Inventory;
let client: ReturnType<typeof clientOf>;
beforeAll(async () => {
  inventory = await startInventory();
  client = clientOf(inventory);
});
afterAll(() => inventory.stop());

const NODES = '/v1/inventory/nodes';
const AGENTS = '/v1/inventory/agents';
const SERVICES = '/v1/management/services';
const PORT_RANGE = 'value must be inside range (0, 65536)';

const refusal = async (path: string, body: object) => {
  const reply = await client.send('POST', path, body);
  return [reply.status, reply.body.code, reply.body.message];
};

/** A host, a service of MySQL on it, and the message of an exporter for it. */
async function scene() {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  const { service_id: serviceId } = await addService(inventory, { node_ids: [nodeId] });
  return { nodeId, pmmAgentId, exporter: { pmm_agent_id: pmmAgentId, service_id: serviceId, username: 'u' } };
}

describe('in the inventory API', () => {
  test('a machine id is trimmed, also in a registration', async () => {
    const sent = { node_name: uniqueName('n'), address: 'a', machine_id: ' \tid\n' };
    expect((await client.post(NODES, { generic: sent })).generic.machine_id).toBe('id');
    const host = { ...sent, node_name: uniqueName('n'), node_type: 'NODE_TYPE_GENERIC_NODE' };
    expect((await client.post('/v1/management/nodes', host)).generic_node.machine_id).toBe('id');
  });

  test('a duration is returned with 3, 6 or 9 digits of a second', async () => {
    const { exporter } = await scene();
    const sent = { ...exporter, connection_timeout: '1.5s' };
    const { mysqld_exporter: added } = await client.post(AGENTS, { mysqld_exporter: sent });
    expect(added.connection_timeout).toBe('1.500s');
    const durations = { hr: '5.000s', mr: '0.0001s', lr: '60s' };
    const change = { mysqld_exporter: { metrics_resolutions: durations } };
    expect((await client.put(`${AGENTS}/${added.agent_id}`, change)).mysqld_exporter.metrics_resolutions).toEqual({
      ...{ hr: '5s', mr: '0.000100s', lr: '60s' },
    });
  });

  test('a negative limit disables the statistics of tables', async () => {
    const { exporter } = await scene();
    for (const [limit, disabled] of [
      [-1, true],
      [0, false],
      [10, false],
    ] as const) {
      const sent = { ...exporter, tablestats_group_table_limit: limit };
      expect((await client.post(AGENTS, { mysqld_exporter: sent })).mysqld_exporter).toMatchObject({
        ...{ tablestats_group_table_limit: limit, tablestats_group_disabled: disabled },
      });
    }
  });

  test('a port above 65535 is outside the range, as 0 is', async () => {
    const { nodeId, exporter } = await scene();
    const sent = { runs_on_node_id: nodeId, service_id: exporter.service_id };
    const wanted = [400, 3, `invalid AddExternalExporterParams.ListenPort: ${PORT_RANGE}`];
    for (const port of [0, 65_536])
      expect(await refusal(AGENTS, { external_exporter: { ...sent, listen_port: port } })).toEqual(wanted);
    const haproxy = { service_name: 's', node_id: nodeId, listen_port: 65_536 };
    expect((await refusal(SERVICES, { haproxy }))[2]).toBe(`invalid AddHAProxyServiceParams.ListenPort: ${PORT_RANGE}`);
    const added = await client.post(AGENTS, { external_exporter: { ...sent, listen_port: 65_535 } });
    // PMM has no status of an agent that no agent process starts.
    expect(added.external_exporter).toMatchObject({ listen_port: 65_535, status: 'AGENT_STATUS_UNSPECIFIED' });
  });

  test('an agent of a type that does not fit is named as in PMM', async () => {
    const { nodeId, pmmAgentId, exporter } = await scene();
    expect(await refusal(AGENTS, { qan_mongodb_profiler_agent: exporter })).toEqual([
      ...[400, 9, 'invalid combination of service type mysql and agent type qan-mongodb-profiler-agent'],
    ]);
    expect(await refusal(AGENTS, { rds_exporter: { pmm_agent_id: pmmAgentId, node_id: nodeId } })).toEqual([
      ...[400, 9, 'invalid combination of node type generic and agent type rds_exporter'],
    ]);
  });

  test('the service of a Valkey exporter is a UUID', async () => {
    const { exporter } = await scene();
    for (const id of ['', 'no-uuid'])
      expect(await refusal(AGENTS, { valkey_exporter: { ...exporter, service_id: id } })).toEqual([
        ...[400, 3, 'invalid AddValkeyExporterParams.ServiceId: value must be a valid UUID'],
      ]);
    const missing = '00000000-0000-0000-0000-000000000000';
    expect(await refusal(AGENTS, { valkey_exporter: { ...exporter, service_id: missing } })).toEqual([
      ...[404, 5, `Service with ID "${missing}" not found.`],
    ]);
  });

  test('a node that no object can have is an empty list of services', async () => {
    const { node_id: id } = await addNode(inventory);
    const lists = await client.get(`/v1/inventory/services?node_id=${id}-and-more`);
    expect(Object.values(lists).flat()).toEqual([]);
  });
});

test('a registration whose name is no address, from the machine itself, has the name with hyphens', async () => {
  const host = { node_type: 'NODE_TYPE_GENERIC_NODE', node_name: `a host/${uniqueName('n')} ` };
  const sent = { ...host, node_name: host.node_name.trim() };
  const { generic_node: node } = await client.post('/v1/management/nodes', sent, { sourceIp: '127.0.0.1' });
  expect(node.address).toBe(sent.node_name.replace(/[ /]/g, '-'));
  const remote = { ...sent, node_name: `${sent.node_name} 2` };
  const { generic_node: other } = await client.post('/v1/management/nodes', remote, { sourceIp: '10.1.2.3' });
  expect(other.address).toBe('10.1.2.3');
});

describe('a service with its agents', () => {
  const message = async (more: object = {}) => {
    const { nodeId, pmmAgentId } = await addHost(inventory);
    const own = { node_id: nodeId, pmm_agent_id: pmmAgentId, service_name: uniqueName('s'), username: 'u' };
    return { ...own, socket: '/s', ...more };
  };

  test('has the defaults of PMM instead of zero; a negative value disables', async () => {
    const limits = async (more: object) => {
      const sent = await message({ qan_mysql_slowlog: true, ...more });
      const { mysqld_exporter: exporter, qan_mysql_slowlog: log } = (await client.post(SERVICES, { mysql: sent }))
        .mysql;
      return [exporter.tablestats_group_table_limit, log.max_slowlog_file_size];
    };
    expect(await limits({})).toEqual([1000, '1073741824']);
    expect(await limits({ max_slowlog_file_size: '0' })).toEqual([1000, '1073741824']);
    expect(await limits({ tablestats_group_table_limit: -5, maxSlowlogFileSize: '-1' })).toEqual([-1, '0']);
    expect(await limits({ tablestats_group_table_limit: 5, max_slowlog_file_size: '7' })).toEqual([5, '7']);
  });

  test('of Valkey needs no user name', async () => {
    const sent = await message({ username: undefined });
    expect((await client.post(SERVICES, { valkey: sent })).valkey.valkey_exporter.username).toBe('');
  });

  test('is added to a host that exists, or to a new remote node', async () => {
    const { node_id: remote, node_name: name } = await addNode(inventory, { node_type: 'remote' });
    const wrong = [400, 3, 'node_id or node_name can be used only for generic nodes or container nodes'];
    expect(await refusal(SERVICES, { mysql: await message({ node_id: remote }) })).toEqual(wrong);
    expect(await refusal(SERVICES, { mysql: await message({ node_id: '', node_name: name }) })).toEqual(wrong);
    const long = await message({ node_id: 'x'.repeat(3000) });
    expect((await refusal(SERVICES, { mysql: long })).slice(0, 2)).toEqual([404, 5]);
    const add = { node_type: 'NODE_TYPE_GENERIC_NODE', node_name: uniqueName('n') };
    const adding = (node: object) => message({ node_id: '', address: 'a', port: 1, socket: '', add_node: node });
    expect(await refusal(SERVICES, { mysql: await adding(add) })).toEqual([
      ...[400, 3, 'add_node structure can be used only for remote nodes'],
    ]);
    expect(await refusal(SERVICES, { mysql: await adding({ node_type: 'NODE_TYPE_REMOTE_NODE' }) })).toEqual([
      ...[400, 3, 'invalid AddNodeParams.NodeName: value length must be at least 1 runes'],
    ]);
  });

  test('is not found by a name that is longer than any', async () => {
    const long = 'n'.repeat(3000);
    const missing = (noun: string) => [404, 5, `${noun} with name "${long}" not found.`];
    expect(await refusal(SERVICES, { mysql: await message({ node_id: '', node_name: long }) })).toEqual(
      missing('Node'),
    );
    const removed = await client.send('DELETE', `${SERVICES}/${long}`);
    expect([removed.status, removed.body.code, removed.body.message]).toEqual(missing('Service'));
    const annotation = { text: 't', service_names: [long] };
    expect(await refusal('/v1/management/annotations', annotation)).toEqual(missing('Service'));
  });

  test('of RDS: its fields are checked before its engine', async () => {
    const first = 'invalid AddRDSServiceParams.Region: value length must be at least 1 runes';
    expect(await refusal(SERVICES, { rds: {} })).toEqual([400, 3, first]);
    const sent = { region: 'r', instance_id: 'i', address: 'a', port: 1, username: 'u', pmm_agent_id: 'x' };
    expect(await refusal(SERVICES, { rds: sent })).toEqual([
      ...[400, 3, 'Unsupported Engine type "DISCOVER_RDS_ENGINE_UNSPECIFIED".'],
    ]);
  });

  test('flat lists are sorted by id, and take one filter', async () => {
    for (let count = 0; count < 4; count += 1) await client.post(SERVICES, { mysql: await message() });
    const { nodes } = await client.get('/v1/management/nodes');
    const { services } = await client.get(SERVICES);
    for (const [all, name] of [
      [nodes, 'node_id'],
      [services, 'service_id'],
    ]) {
      const ids = all.map((one: any) => one[name]);
      expect(ids.length).toBeGreaterThan(3);
      expect(ids).toEqual([...ids].sort());
    }
    const text = async (query: string) => (await client.send('GET', `/v1/management/agents${query}`)).body.message;
    expect(await text('')).toBe('Either service_id or node_id is expected.');
    expect(await text('?service_id=a&node_id=b')).toBe('Either service_id or node_id is expected, not both.');
  });
});
