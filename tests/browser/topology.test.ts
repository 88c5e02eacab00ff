import {
  expectAccessible,
  expectClean,
  expectNoSidewaysScroll,
  openSite,
  type Site,
  type Tab,
  untilIdle,
} from './browser.ts';

let site: Site;
let ids: Record<string, string> = {};

/** Two hosts, each with a pmm_agent, an exporter and a database of one cluster. The node `large` has many agents. */
beforeAll(async () => {
  site = await openSite();
  for (const number of [1, 2]) {
    const { node_id: node } = await site.addNode(`ledger-host-${number}`);
    const { agent_id: process } = await site.write('POST', '/v1/agents', {
      agent_type: 'pmm_agent',
      runs_on_node_id: node,
    });
    const { service_id: service } = await site.write('POST', '/v1/services', {
      service_type: 'mysql',
      service_name: `ledger-db-${number}`,
      node_ids: [node],
      address: '10.0.0.1',
      port: 3306,
      cluster: 'ledger',
    });
    const { agent_id: exporter } = await site.write('POST', '/v1/agents', {
      agent_type: 'mysqld_exporter',
      pmm_agent_id: process,
      insights: { service_ids: [service] },
    });
    ids = { ...ids, [`node${number}`]: node, [`service${number}`]: service, [`exporter${number}`]: exporter };
  }
  const wide = Array.from({ length: 25 }, (_, index) => [
    {
      op: 'addNode',
      ref: `host-${index}`,
      body: { node_type: 'generic', node_name: `wide-host-${index + 1}`, address: '10.0.0.1' },
    },
    { op: 'addAgent', ref: `process-${index}`, body: { agent_type: 'pmm_agent', runs_on_node_id: `$host-${index}` } },
    {
      op: 'addService',
      ref: `db-${index}`,
      body: {
        ...{ service_type: 'mysql', service_name: `wide-db-${index + 1}`, node_ids: [`$host-${index}`] },
        ...{ address: '10.0.0.1', port: 3306, cluster: 'wide' },
      },
    },
    {
      op: 'addAgent',
      body: {
        agent_type: 'mysqld_exporter',
        pmm_agent_id: `$process-${index}`,
        insights: { service_ids: [`$db-${index}`] },
      },
    },
  ]).flat();
  expect(
    (await site.write('POST', '/v1/batch', { operations: wide })).results.map(({ status }: any) => status),
  ).toEqual(wide.map(() => 201));
  ids['large'] = (await site.addNode('large')).node_id;
  const operations = Array.from({ length: 90 }, (_, index) => ({
    op: 'addService',
    body: {
      service_type: 'mysql',
      service_name: `large-${index}`,
      node_ids: [ids['large']],
      address: '10.0.0.1',
      port: 3306 + index,
    },
  }));
  const { results } = await site.write('POST', '/v1/batch', { operations });
  expect(results.filter(({ status }: { status: number }) => status !== 201)).toEqual([]);
});
afterAll(() => site.close());

const graphIn = ({ page }: Tab, subject: string) => page.getByRole('group', { name: `Topology of the ${subject}` });
const showGraph = ({ page }: Tab) => page.getByRole('button', { name: 'Graph', exact: true }).click();
const listIn = ({ page }: Tab, subject: string) => page.getByRole('list', { name: `Topology of the ${subject}` });

/** The names of the boxes in the order of the keyboard; of an agent its type. */
const boxesIn = async (tab: Tab, subject: string) =>
  (await graphIn(tab, subject).getByRole('link').allTextContents()).map(
    (text) => /^\w+ (ledger-(?:host|db)-\d|pmm_agent|mysqld_exporter)/.exec(text)?.[1],
  );

test('the page of a node shows what runs on it and what watches it; each object leads to its page, with the keyboard too', async () => {
  const tab = await site.at(`nodes/${ids['node1']}`);
  const graph = graphIn(tab, 'node');
  await graph.getByRole('link', { name: /^node ledger-host-1 .*generic.*Never seen/ }).waitFor();
  expect(await graph.getByRole('link').count()).toBe(4);
  expect(await graph.locator('path[class^=topology]').count()).toBe(4);
  expect(await graph.locator('[aria-current]').getAttribute('title')).toBe('ledger-host-1');
  await expectAccessible(tab);
  await graph.getByRole('link', { name: /^agent mysqld_exporter/ }).focus();
  expect(await graph.locator('path.topology-pointed').count()).toBe(2);
  await tab.page.keyboard.press('Tab');
  await tab.page.keyboard.press('Enter');
  await tab.page.getByRole('heading', { name: 'ledger-db-1', level: 1 }).waitFor();
  expectClean(tab);
});

test('the page of a service shows its node, the pmm_agent, and the agents that watch it', async () => {
  const tab = await site.at(`services/${ids['service1']}`, {
    colorScheme: 'dark',
    viewport: { width: 1440, height: 900 },
  });
  const graph = graphIn(tab, 'service');
  await graph.getByRole('link', { name: /^service ledger-db-1/ }).waitFor();
  expect(await boxesIn(tab, 'service')).toEqual(['ledger-host-1', 'pmm_agent', 'mysqld_exporter', 'ledger-db-1']);
  await expectAccessible(tab);
  expectClean(tab);
});

test('the page of an agent shows its process, what it gives insight into, and where all of them run', async () => {
  const tab = await site.at(`agents/${ids['exporter1']}`);
  const { page } = tab;
  await graphIn(tab, 'agent')
    .getByRole('link', { name: /^service ledger-db-1/ })
    .waitFor();
  expect(await boxesIn(tab, 'agent')).toEqual(['ledger-host-1', 'pmm_agent', 'mysqld_exporter', 'ledger-db-1']);
  expect(await graphIn(tab, 'agent').locator('[aria-current]').textContent()).toContain('mysqld_exporter');
  await expectAccessible(tab);
  await graphIn(tab, 'agent')
    .getByRole('link', { name: /^agent pmm_agent/ })
    .press('Enter');
  await page.getByRole('heading', { name: /^pmm_agent/, level: 1 }).waitFor();
  await graphIn(tab, 'agent')
    .getByRole('link', { name: /^service ledger-db-1/ })
    .waitFor();
  expect(await boxesIn(tab, 'agent')).toEqual(['ledger-host-1', 'pmm_agent', 'mysqld_exporter', 'ledger-db-1']);
  await page.getByRole('button', { name: 'List', exact: true }).click();
  await listIn(tab, 'agent').getByText('gives insight into service ledger-db-1').waitFor();
  await expectAccessible(tab);
  await page.getByRole('button', { name: 'Graph', exact: true }).click();
  expectClean(tab);
});

test('the page of a cluster shows all its services; as a list with the same objects, which is remembered', async () => {
  const tab = await site.at('clusters/ledger');
  const { page } = tab;
  await showGraph(tab);
  await graphIn(tab, 'cluster').getByRole('link').nth(7).waitFor();
  expect(await graphIn(tab, 'cluster').getByRole('link').count()).toBe(8);
  await page.getByRole('button', { name: 'List', exact: true }).click();
  const list = listIn(tab, 'cluster');
  await list.waitFor();
  // A service is below its node and below its exporter.
  expect(await list.getByRole('link', { name: 'ledger-db-2' }).count()).toBe(2);
  await list.getByText('gives insight into service ledger-db-2').first().waitFor();
  await expectAccessible(tab);
  await page.reload();
  await list.waitFor();
  expectClean(tab);
});

test('more than can be drawn is counted, and leads to the list', async () => {
  const tab = await site.at(`nodes/${ids['large']}`);
  const graph = graphIn(tab, 'node');
  await graph.getByRole('link').nth(59).waitFor();
  expect(await graph.getByRole('link').count()).toBe(60);
  await tab.page.getByRole('link', { name: 'and 31 services more' }).click();
  await tab.page.getByRole('heading', { name: 'Services', level: 1 }).waitFor();
  expect(new URL(tab.page.url()).hash).toBe(`#/services?node_id=${ids['large']}`);
  expectClean(tab);
});

test('a large cluster shows all its services and nodes, and counts the agents that are left out', async () => {
  const tab = await site.at('clusters/wide');
  await showGraph(tab);
  const graph = graphIn(tab, 'cluster');
  await graph.getByRole('link', { name: /^service wide-db-25/ }).waitFor();
  const kindsOf = async () =>
    (await graph.getByRole('link').allTextContents()).map((text) => /^\w+/.exec(text)?.[0]).toSorted();
  const [nodes, services] = [Array.from({ length: 25 }, () => 'node'), Array.from({ length: 25 }, () => 'service')];
  expect((await kindsOf()).filter((kind) => kind !== 'agent')).toEqual([...nodes, ...services]);
  await expectAccessible(tab);
  expectClean(tab);
});

test.each([
  ['390 px', { viewport: { width: 390, height: 844 } }],
  ['200 % zoom of 1280 px', { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }],
])('at %s there is the list alone', async (_, options) => {
  const tab = await site.at(`nodes/${ids['node1']}`, options);
  await listIn(tab, 'node').waitFor();
  await untilIdle(tab);
  expect(await graphIn(tab, 'node').count()).toBe(0);
  expect(await tab.page.getByRole('button', { name: 'Graph', exact: true }).count()).toBe(0);
  await expectNoSidewaysScroll(tab);
  await expectAccessible(tab);
  expectClean(tab);
});

test('at 768 px the graph scrolls by itself', async () => {
  const tab = await site.at('clusters/ledger', { viewport: { width: 768, height: 1024 } });
  await showGraph(tab);
  await graphIn(tab, 'cluster').getByRole('link').nth(7).waitFor();
  await untilIdle(tab);
  await expectNoSidewaysScroll(tab);
  await expectAccessible(tab);
  expectClean(tab);
});
