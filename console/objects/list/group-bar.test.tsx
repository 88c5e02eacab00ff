import { pageTime, screen, textOf, user } from '../../testing/page.tsx';
import { openSite } from '../../testing/site.tsx';

const site = openSite();

/** Six hosts with a database each, of which two have no version, and their agents in three states. Two hosts fall silent. */
beforeAll(async () => {
  const operations = Array.from({ length: 6 }, (_, index) => {
    const region = index < 4 ? 'eu-central-1' : 'us-east-1';
    const address = `host-${index}.example.com`;
    const host = { node_type: 'generic', node_name: `host-${index}`, address, region };
    const times = { stale_after: '1h', offline_after: index % 3 === 0 ? '2h' : '30d' };
    const database = { service_type: 'mysql', service_name: `db-${index}`, address, port: 3306 };
    const version = index < 3 ? { version: '8.4.3' } : index === 3 ? { version: '17.2' } : {};
    return [
      {
        ...{ op: 'addNode', ref: `host_${index}` },
        body: { ...host, ...times, custom_labels: { tier: index === 0 ? 'gold' : 'silver' } },
      },
      { op: 'addService', body: { ...database, ...version, node_ids: [`$host_${index}`] } },
      { op: 'addAgent', ref: `pmm_${index}`, body: { agent_type: 'pmm_agent', runs_on_node_id: `$host_${index}` } },
    ];
  });
  const { results } = await site.write('POST', '/v1/batch', { operations: operations.flat() });
  for (const [index, { id }] of results.entries()) {
    if (index % 3 !== 2) continue;
    const host = (index - 2) / 3;
    const exporter = { agent_type: 'node_exporter', pmm_agent_id: id };
    const { agent_id } = await site.write('POST', '/v1/agents', exporter);
    const status = ['running', 'waiting', 'done'][host % 3];
    site.inventory.clock.now = host % 3 === 0 ? new Date(pageTime() - 3 * 3_600_000) : undefined;
    await site.write('POST', `/v1/agents/${id}/report`, { agents: [{ agent_id, status }] });
    site.inventory.clock.now = undefined;
  }
});

const groups = (name: string) => screen.getByRole('list', { name, hidden: true });

const groupsOf = (name: string) => [...groups(name).querySelectorAll('li')].map((group) => textOf(group).trim());

const choose = (name: string, group: string) =>
  user.click([...groups(name).querySelectorAll('a')].find(({ textContent }) => textContent === group)!);

test('services are grouped by version, and one click shows those without one', async () => {
  await site.at('services');
  await user.click(screen.getByRole('button', { name: 'Group by version', hidden: true }));
  expect(groupsOf('Services by Version')).toEqual(['17.2 1', '8.4.3 3', '(none) 2']);
  await choose('Services by Version', '(none)');
  expect(textOf()).toContain('Services (2)');
  expect(location.hash).toBe('#/services?version=%28none%29');
  expect(textOf()).toContain('Version = (none)');
});

test('agents are grouped by region within a filter, and the click on a group narrows the list', async () => {
  await site.at('agents?agent_type=pmm_agent&group_by=region');
  expect(groupsOf('Agents by Region').toSorted()).toEqual(['eu-central-1 4', 'us-east-1 2']);
  await choose('Agents by Region', 'us-east-1');
  expect(textOf()).toContain('Agents (2)');
  expect(textOf()).toContain('Region = us-east-1');
  expect([...document.querySelectorAll('td')].filter((cell) => textOf(cell) === 'us-east-1')).toHaveLength(2);
});

test('agents are grouped by region within some states', async () => {
  await site.at('agents?status=waiting,done&group_by=region');
  expect(groupsOf('Agents by Region').toSorted()).toEqual(['eu-central-1 2', 'us-east-1 2']);
  await choose('Agents by Region', 'eu-central-1');
  expect(textOf()).toContain('Agents (2)');
  expect(location.hash).toBe('#/agents?status=waiting%2Cdone&region=eu-central-1');
});

test('nodes are grouped by a label, with the states of each group; the smallest live share is first, and red only without a live one', async () => {
  await site.at('nodes?group_by=labels.tier');
  expect(groupsOf('Nodes by tier')).toEqual(['gold 1', 'silver 5']);
  const [gold, silver] = groups('Nodes by tier').querySelectorAll('li');
  const shown = [gold, silver].map((group) => [
    group!.querySelector('[role=img]')?.getAttribute('aria-label'),
    group!.querySelectorAll('[aria-label="None is live"]').length,
  ]);
  expect(shown).toEqual([
    ['1 offline', 1],
    ['4 live, 1 offline', 0],
  ]);
  await choose('Nodes by tier', 'gold');
  expect(textOf()).toContain('Nodes (1)');
});
