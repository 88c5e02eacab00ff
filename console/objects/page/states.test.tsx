import { pageTime, rowsOf, textOf, user } from '../../testing/page.tsx';
import { openSite } from '../../testing/site.tsx';

const MINUTE_MS = 60_000;

const site = openSite();
let nodeId = '';

beforeAll(async () => {
  const end = pageTime();
  /** A host with a database, whose process has reported this many minutes ago. */
  const host = async (name: string, timers: object, reports: readonly { ago: number; connected?: boolean }[]) => {
    const { node_id: id } = await site.addNode(name, timers);
    const agent = { agent_type: 'pmm_agent', runs_on_node_id: id };
    const { agent_id: process } = await site.write('POST', '/v1/agents', agent);
    const service = { service_type: 'mysql', service_name: `${name}-db`, cluster: 'orders', address: name, port: 3306 };
    await site.write('POST', '/v1/services', { ...service, node_ids: [id] });
    for (const { ago, connected } of reports) {
      site.inventory.clock.now = new Date(end - ago * MINUTE_MS);
      await site.write('POST', `/v1/agents/${process}/report`, {
        ...{ agents: [] },
        ...(connected === undefined ? {} : { connected }),
      });
    }
    site.inventory.clock.now = undefined;
    return String(id);
  };
  const lively = { stale_after: '2h', offline_after: '3h' };
  await host('steady', lively, [{ ago: 100 }, { ago: 10 }]);
  // Loses its connection for ten minutes of a hundred.
  nodeId = await host('flaky', lively, [{ ago: 100 }, { ago: 60, connected: false }, { ago: 50 }]);
  await host('silent', { stale_after: '10m', offline_after: '20m' }, [{ ago: 80 }]);
});

const section = () => textOf(document.querySelector('main')!);

const interruptions = () => [...document.querySelectorAll('main li')].map(textOf);

const button = (name: string) =>
  [...document.querySelectorAll('main [role=button], main button')].find((each) => textOf(each) === name)!;

test('the page of a node has the availability, a strip, and the interruptions in words', async () => {
  await site.at(`nodes/${nodeId}`);
  expect(section()).toContain('States of the last 24 hours');
  expect(section()).toMatch(/Live 90(\.\d+)? % of the time since /);
  const states = [...document.querySelectorAll('svg.state-strip rect')].map((part) => part.getAttribute('class'));
  expect(states).toEqual(['state-live', 'state-live', 'state-stale']);
  expect(button('1 interruption').getAttribute('aria-expanded')).toBe('false');
  await user.click(button('1 interruption'));
  expect(interruptions()).toContainEqual(expect.stringMatching(/^Stale from .+ to .+: 10 minutes$/));
});

test('the page of an agent has its statuses of the day, and since when it has the present one', async () => {
  const { agents } = (await site.inventory.request('GET', `/v1/agents?runs_on_node_id=${nodeId}`)).body;
  const process = agents[0].agent_id;
  const { agent_id: id } = await site.write('POST', '/v1/agents', {
    agent_type: 'node_exporter',
    pmm_agent_id: process,
  });
  for (const [ago, status] of [
    [40, 'running'],
    [30, 'waiting'],
  ] as const) {
    site.inventory.clock.now = new Date(pageTime() - ago * MINUTE_MS);
    await site.write('POST', `/v1/agents/${process}/report`, { agents: [{ agent_id: id, status }] });
  }
  site.inventory.clock.now = undefined;
  await site.at(`agents/${id}`);
  expect(section()).toMatch(/Running \d+(\.\d+)? % of the time since /);
  expect(section()).toContain('Status since');
  await user.click(button('2 interruptions'));
  expect(interruptions()).toContainEqual(expect.stringMatching(/^Waiting from .+: 30 minutes$/));
});

test('the page of a cluster has the worst state, and the shares of all and of one live service', async () => {
  await site.at('clusters/orders');
  expect(section()).toMatch(/All services live \d+(\.\d+)? % of the time since .+, at least one 100 %/);
  await user.click(button('2 interruptions'));
  expect(interruptions()).toContainEqual(expect.stringMatching(/^Offline from/));
});

test('the overview shows the nodes in each state over the day, with a table of the numbers', async () => {
  await site.at('overview');
  expect(section()).toContain('Nodes over the last 24 hours');
  const now = [...document.querySelectorAll('.node-states li')].map(textOf);
  expect(now).toEqual(
    ['Live', 'Stale', 'Offline'].map((name) => expect.stringMatching(new RegExp(`^${name}.*\\d+ now`))),
  );
  await user.click(button('Numbers of each hour'));
  expect(rowsOf('Nodes by state in the last 24 hours')).toHaveLength(25);
});
