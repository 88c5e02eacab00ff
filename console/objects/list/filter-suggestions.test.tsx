import { pass, screen, textOf, user } from '../../testing/page.tsx';
import { openSite } from '../../testing/site.tsx';

const site = openSite();

/** A database on its host, and what monitors it: each value is of one of them. */
beforeAll(async () => {
  const { node_id: nodeId } = await site.addNode('host', { region: 'region-of-host' });
  const database = { service_type: 'mysql', service_name: 'orders', address: '10.0.0.1', port: 3306 };
  const { service_id: serviceId } = await site.write('POST', '/v1/services', {
    ...{ ...database, node_ids: [nodeId] },
    ...{ cluster: 'cluster-of-orders', version: '8.4.3' },
  });
  const process = { agent_type: 'pmm_agent', runs_on_node_id: nodeId };
  const { agent_id: id } = await site.write('POST', '/v1/agents', process);
  const exporter = { agent_type: 'mysqld_exporter', pmm_agent_id: id, insights: { service_ids: [serviceId] } };
  await site.write('POST', '/v1/agents', exporter);
});

test.each([
  ['nodes', 'Region', 'region-of-host'],
  ['services', 'Version', '8.4.3'],
  ['services', 'Cluster', 'cluster-of-orders'],
  ['services', 'Region', 'region-of-host'],
  ['services', 'Runs on node', 'host'],
  ['agents', 'Cluster', 'cluster-of-orders'],
  ['agents', 'Region', 'region-of-host'],
  ['agents', 'Runs on node', 'host'],
  ['agents', 'Insight into service', 'orders'],
])('the list of %s suggests the values of %s that exist', async (list, label, value) => {
  await site.at(list);
  const input = screen.getByLabelText(`Filter ${list}`);
  for (const part of [label, ' = ']) await user.type(input, part);
  await pass(1000);
  expect(screen.getAllByRole('option').map(textOf)).toContain(`${label} = ${value}`);
});
