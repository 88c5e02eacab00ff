import { screen, textOf, user, within } from '../../testing/page.tsx';
import { openSite } from '../../testing/site.tsx';

const site = openSite();

test('the panel follows its object, and links to what the object is related to', async () => {
  const { node_id: node } = await site.addNode('host-1');
  const agent = { agent_type: 'pmm_agent', runs_on_node_id: node };
  const { agent_id: id } = await site.write('POST', '/v1/agents', agent);
  await site.at('agents', { width: 1600 });
  const [opener] = within(screen.getByRole('toolbar')).getAllByRole('button', { name: 'Open the details' });
  await user.click(opener!);
  await user.click(screen.getByRole('checkbox', { name: `Select pmm_agent ${id.slice(0, 8)}` }));
  const details = screen.getByRole('region', { name: /^pmm_agent/ });
  expect(textOf(details)).toContain('Never seen');
  expect(within(details).getByRole('link', { name: 'host-1' })).toBeDefined();
  await site.write('POST', `/v1/agents/${id}/report`, { agents: [] });
  await user.click(screen.getByRole('button', { name: 'Reload the agents' }));
  expect(within(details).getAllByText('Live').length).toBeGreaterThan(0);
});
