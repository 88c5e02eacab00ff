import { addHost, addNode, addService } from '../../../tests/support/add.ts';
import { startPmmInventory } from '../../../tests/pmm/pmm-inventory.ts';

const { inventory, client } = await startPmmInventory();

const SERVICES = '/v1/inventory/services';
const AGENTS = '/v1/inventory/agents';

describe('changes', () => {
  test('keep absent fields, clear with zero, and set labels and durations as a whole or one by one', async () => {
    const { pmmAgentId } = await addHost(inventory);
    const { service_id: serviceId } = await addService(inventory);
    const sent = {
      pmm_agent_id: pmmAgentId,
      service_id: serviceId,
      username: 'u',
      custom_labels: { a: '1' },
      tls: true,
    };
    const { mysqld_exporter: added } = await client.post(AGENTS, { mysqld_exporter: sent });
    const change = async (body: object) =>
      (await client.put(`${AGENTS}/${added.agent_id}`, { mysqld_exporter: body })).mysqld_exporter;
    expect(await change({ metrics_resolutions: { hr: '600s', mr: '300s' } })).toEqual({
      ...{ ...added, metrics_resolutions: { hr: '600s', mr: '300s', lr: null } },
    });
    expect(await change({ metrics_resolutions: { mr: '0s' } })).toMatchObject({
      metrics_resolutions: { hr: '600s', mr: null },
    });
    expect(await change({ metrics_resolutions: { hr: '0s' } })).toEqual(added);
    expect(await change({ disable_collectors: ['a'] })).toMatchObject({ disabled_collectors: ['a'] });
    expect(await change({ disable_collectors: [] })).toMatchObject({ disabled_collectors: ['a'] });
    expect(await change({ tls: false, enable_push_metrics: true })).toMatchObject({
      tls: false,
      push_metrics_enabled: true,
      username: 'u',
    });
    expect(await change({ custom_labels: { values: { b: '2' } } })).toMatchObject({ custom_labels: { b: '2' } });
    expect(await change({ custom_labels: {} })).toMatchObject({ custom_labels: {} });
  });

  test("keep what PMM cannot express: a service's several nodes, an agent's several targets", async () => {
    const [first, second] = [await addNode(inventory), await addNode(inventory)];
    const { service_id: serviceId } = await addService(inventory, { node_ids: [first.node_id, second.node_id] });
    const changed = await client.put(`${SERVICES}/${serviceId}`, { environment: 'prod' });
    expect(changed.mysql).toMatchObject({ node_id: first.node_id, environment: 'prod' });
    expect((await inventory.request('GET', `/v1/services/${serviceId}`)).body.node_ids).toEqual([
      first.node_id,
      second.node_id,
    ]);
    const lone = await addService(inventory);
    expect((await client.get(`${SERVICES}/${lone.service_id}`)).mysql.node_id).toBe('');
  });

  test('raise a log level that an exporter does not support', async () => {
    const { pmmAgentId } = await addHost(inventory);
    const { node_exporter: added } = await client.post(AGENTS, {
      node_exporter: { pmm_agent_id: pmmAgentId, log_level: 'LOG_LEVEL_FATAL' },
    });
    expect(added.log_level).toBe('LOG_LEVEL_ERROR');
  });
});
