/** What PMM makes of the values in a request: defaults, rounding, trimming; and what its errors say of them. */
import { addHost, addNode, addService } from '../../../../tests/support/add.ts';
import { uniqueName } from '../../../../tests/pmm/pmm-client.ts';
import { startPmmInventory } from '../../../../tests/pmm/pmm-inventory.ts';

const { inventory, client, refusal } = await startPmmInventory();

const NODES = '/v1/inventory/nodes';
const AGENTS = '/v1/inventory/agents';
const SERVICES = '/v1/management/services';
const PORT_RANGE = 'value must be inside range (0, 65536)';

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

  test('an agent of a wrong type is named as in PMM', async () => {
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

  test('the services of an impossible node id are an empty list', async () => {
    const { node_id: id } = await addNode(inventory);
    const lists = await client.get(`/v1/inventory/services?node_id=${id}-and-more`);
    expect(Object.values(lists).flat()).toEqual([]);
  });
});
