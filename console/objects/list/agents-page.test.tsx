import { pageTime, rowsOf, screen, textOf, user } from '../../testing/page.tsx';
import { openSite } from '../../testing/site.tsx';

const site = openSite();
const HOUR_MS = 3_600_000;

/** Three hosts, whose exporters have waited for two hours, a day and a minute; two agent processes state a version. */
beforeAll(async () => {
  for (const [name, hours, version] of [
    ['first', 2, '3.5.0'],
    ['second', 24, '3.4.0'],
    ['third', 1 / 60, undefined],
  ] as const) {
    const { node_id: id } = await site.addNode(name, { stale_after: '2d', offline_after: '3d' });
    const { agent_id: process } = await site.write('POST', '/v1/agents', {
      agent_type: 'pmm_agent',
      runs_on_node_id: id,
    });
    const exporter = { agent_type: 'node_exporter', pmm_agent_id: process };
    const { agent_id } = await site.write('POST', '/v1/agents', exporter);
    site.inventory.clock.now = new Date(pageTime() - hours * HOUR_MS);
    await site.write('POST', `/v1/agents/${process}/report`, {
      agents: [
        { agent_id, status: 'waiting' },
        ...(version === undefined ? [] : [{ agent_id: process, status: 'running', version }]),
      ],
    });
    site.inventory.clock.now = undefined;
  }
});

/** The nodes of the listed agents, in the order of the list. */
const placesOf = (name: string) => rowsOf(name).map((row) => /first|second|third/.exec(textOf(row))?.[0]);

test('agents are sorted by the time since which they have their status', async () => {
  await site.at('agents?status=waiting&sort=since');
  expect(placesOf('Agents')).toEqual(['second', 'first', 'third']);
  expect(textOf()).toContain('Since');
});

test('a filter shows the agents that have had their status for long enough', async () => {
  await site.at('agents?status=waiting&status_for=1h');
  expect(placesOf('Agents').toSorted()).toEqual(['first', 'second']);
  expect(textOf()).toContain('Status for at least = 1h');
});

test('nodes are grouped by the versions of their agents, and a click lists the hosts with one', async () => {
  await site.at('nodes');
  await user.click(screen.getByRole('button', { name: 'Group by agent version', hidden: true }));
  const groups = screen.getByRole('list', { name: 'Nodes by Agent version', hidden: true });
  await user.click([...groups.querySelectorAll('a')].find(({ textContent }) => textContent === '3.4.0')!);
  expect(location.hash).toBe('#/nodes?agent_version=3.4.0');
  expect(placesOf('Nodes')).toEqual(['second']);
});
