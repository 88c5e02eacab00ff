import { goTo, screen, textOf, user, within } from '../testing/page.tsx';
import { openSite } from '../testing/site.tsx';

const site = openSite();
let key = '';

/** Two hosts of the team, one of which has a service and a process, and a host of another team. */
beforeAll(async () => {
  const shop = { custom_labels: { team: 'shop' } };
  const { node_id: node } = await site.addNode('shop-1', shop);
  await site.addNode('shop-2', shop);
  await site.addNode('money-1', { custom_labels: { team: 'money' } });
  const endpoint = { node_ids: [node], address: '10.0.0.1', port: 3306 };
  await site.write('POST', '/v1/services', { service_type: 'mysql', service_name: 'shop-db', ...endpoint, ...shop });
  const process = { agent_type: 'pmm_agent', runs_on_node_id: node, ...shop };
  const { agent_id: id } = await site.write('POST', '/v1/agents', process);
  await site.write('POST', `/v1/agents/${id}/report`, { agents: [] });
  ({ key } = await site.write('POST', '/v1/api-keys', { name: 'shop', role: 'Editor', owners: ['shop'] }));
});

const TITLE = 'Your team: shop';
const card = () => screen.queryByRole('list', { name: TITLE });

test('a user with owners sees the number and the states of their objects of each kind, with links to these', async () => {
  await site.at('overview', { key });
  expect([...card()!.querySelectorAll('li')].map(textOf)).toEqual(['Nodes 2', 'Services 1', 'Agents 1']);
  const states = within(card()!).getAllByRole('img');
  expect(states.map((bar) => bar.getAttribute('aria-label'))).toEqual(['1 live, 1 never seen', '1 live', '1 live']);
  await user.click(within(card()!).getByRole('link', { name: 'Nodes' }));
  expect(textOf(screen.getByRole('heading', { level: 1 }))).toBe('Nodes (2)');
  expect(decodeURIComponent(location.hash)).toBe('#/nodes?selector=team=shop');
});

test('a user without owners has no objects of a team', async () => {
  await site.at('overview');
  expect(screen.getByRole('region', { name: 'Nodes' })).toBeDefined();
  expect([card(), screen.queryByText(TITLE)]).toEqual([null, null]);
});

test('objects of a team that could not be counted are counted again on request', async () => {
  const network = await site.at('account', { key });
  network.refuseNext('GET /v1/groups', 403, 'Not today.');
  await goTo('overview');
  expect(textOf()).toContain('Your objects could not be counted');
  expect(card()).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect([...card()!.querySelectorAll('li')].map(textOf)).toContain('Nodes 2');
});
