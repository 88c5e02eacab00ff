import { goTo, screen, textOf, user } from '../testing/page.tsx';
import { useSilences } from '../testing/silences.tsx';
import { openSite } from '../testing/site.tsx';

const site = openSite();

const { silences, fillIn } = useSilences(site);

test('the page of a cluster silences it and ends that', async () => {
  const service = { service_type: 'mysql', service_name: 'orders-1', cluster: 'orders, old' };
  await site.write('POST', '/v1/services', { ...service, address: '10.0.0.1', port: 3306 });
  await site.at(`clusters/${encodeURIComponent('orders, old')}`);
  await user.click(screen.getByRole('button', { name: 'Silence' }));
  await fillIn('Move');
  expect(textOf()).toContain('by admin: Move');
  expect(await silences()).toMatchObject([{ selector: 'cluster="orders, old"', reason: 'Move' }]);
  await user.click(screen.getByRole('button', { name: 'End silence' }));
  expect(textOf()).not.toContain('by admin: Move');
  expect(await silences()).toEqual([]);
});

test('the pages of a service and an agent on a silenced node name the silence and lead to it', async () => {
  const { node_id: node } = await site.addNode('host-below', { address: '10.2.0.2' });
  const { agent_id: process } = await site.write('POST', '/v1/agents', {
    agent_type: 'pmm_agent',
    runs_on_node_id: node,
  });
  const { service_id: service } = await site.write('POST', '/v1/services', {
    ...{ service_type: 'mysql', service_name: 'below', address: '10.2.0.2', port: 3306, node_ids: [node] },
  });
  const { agent_id: agent } = await site.write('POST', '/v1/agents', {
    agent_type: 'mysqld_exporter',
    pmm_agent_id: process,
    insights: { service_ids: [service] },
  });
  const silence = { reason: 'Disks', time_to_live: '1h' };
  await site.write('POST', '/v1/silences', { ...silence, selector: `node_id=${node}` });
  const mark = /Silenced with what it rests on until .+ by admin: Disks/;
  await site.at(`services/${service}`);
  for (const path of [`services/${service}`, `agents/${agent}`]) {
    await goTo(path);
    expect(textOf()).toMatch(mark);
    expect(screen.queryByRole('button', { name: 'End silence' })).toBeNull();
  }
  await user.click(screen.getByRole('link', { name: `Silences: node_id=${node}` }));
  expect(textOf(screen.getByRole('heading', { level: 1 }))).toBe('Silences (1)');
  expect(textOf(screen.getByRole('button', { name: `End the silence of node_id=${node}` }))).toBe('End');

  // One of two nodes is not enough.
  const { node_id: other } = await site.addNode('host-beside', { address: '10.2.0.3' });
  await site.write('PATCH', `/v1/services/${service}`, { node_ids: [node, other] });
  await site.at(`services/${service}`);
  expect(screen.getByRole('heading', { name: 'below', level: 1 })).toBeDefined();
  expect(textOf()).not.toMatch(mark);
});
