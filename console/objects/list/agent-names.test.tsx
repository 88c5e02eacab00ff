import { goTo, rowsOf, screen, textOf, user } from '../../testing/page.tsx';
import { openSite } from '../../testing/site.tsx';

const site = openSite();

test('an agent is named by its type and its host, in the list, on its page and in the findings', async () => {
  const { node_id: nodeId } = await site.addNode('ledger-host', { stale_after: '30d', offline_after: '60d' });
  const { agent_id: processId } = await site.write('POST', '/v1/agents', {
    ...{ agent_type: 'pmm_agent', runs_on_node_id: nodeId },
  });
  const { agent_id: agentId } = await site.write('POST', '/v1/agents', {
    ...{ agent_type: 'node_exporter', pmm_agent_id: processId },
  });
  const agents = [{ agent_id: agentId, status: 'waiting' }];
  await site.write('POST', `/v1/agents/${processId}/report`, { agents });

  const NAME = 'node_exporter on ledger-host';
  await site.at('agents?status=waiting&disabled=false');
  const link = screen.getByRole('link', { name: NAME });
  // Its row has the host in the column "Runs on".
  expect(textOf(link)).toBe('node_exporter');
  await user.click(link);
  expect(textOf(document.querySelector('main h1')!)).toBe(NAME);
  await goTo('overview');
  const [finding] = rowsOf('Needs attention');
  expect([...finding!.querySelectorAll('a')].map(textOf)).toContain(NAME);
});
