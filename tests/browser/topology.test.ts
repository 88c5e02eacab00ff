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

/** Two hosts, each with a pmm_agent, an exporter and a database of one cluster. */
beforeAll(async () => {
  site = await openSite();
  for (const number of [1, 2]) {
    const { node_id: node } = await site.addNode(`orders-host-${number}`);
    const { agent_id: process } = await site.write('POST', '/v1/agents', {
      agent_type: 'pmm_agent',
      runs_on_node_id: node,
    });
    const { service_id: service } = await site.write('POST', '/v1/services', {
      service_type: 'mysql',
      service_name: `orders-db-${number}`,
      node_ids: [node],
      address: '10.0.0.1',
      port: 3306,
      cluster: 'orders',
    });
    const { agent_id: exporter } = await site.write('POST', '/v1/agents', {
      agent_type: 'mysqld_exporter',
      pmm_agent_id: process,
      insights: { service_ids: [service] },
    });
    ids = { ...ids, [`node${number}`]: node, [`service${number}`]: service, [`exporter${number}`]: exporter };
  }
});
afterAll(() => site.close());

const graphIn = ({ page }: Tab, subject: string) => page.getByRole('group', { name: `Topology of the ${subject}` });
const showGraph = ({ page }: Tab) => page.getByRole('button', { name: 'Graph', exact: true }).click();
const listIn = ({ page }: Tab, subject: string) => page.getByRole('list', { name: `Topology of the ${subject}` });

test('around a node each object leads to its page with the keyboard, and the list of a cluster is remembered', async () => {
  const tab = await site.at(`nodes/${ids['node1']}`, { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' });
  const { page } = tab;
  const graph = graphIn(tab, 'node');
  await graph.getByRole('link', { name: /^node orders-host-1 .*generic.*Never seen/ }).waitFor();
  await expectAccessible(tab);
  await graph.getByRole('link', { name: /^agent mysqld_exporter/ }).focus();
  expect(await graph.locator('path.topology-pointed').count()).toBe(2);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'orders-db-1', level: 1 }).waitFor();
  await graphIn(tab, 'service')
    .getByRole('link', { name: /^service orders-db-1/ })
    .waitFor();
  await expectAccessible(tab);

  await page.goto(`${site.server.base}/#/clusters/orders`);
  await showGraph(tab);
  await graphIn(tab, 'cluster').getByRole('link').nth(7).waitFor();
  // The graph scrolls by itself.
  await page.setViewportSize({ width: 768, height: 1024 });
  await untilIdle(tab);
  await expectNoSidewaysScroll(tab);
  await expectAccessible(tab);
  await page.getByRole('button', { name: 'List', exact: true }).click();
  await listIn(tab, 'cluster').waitFor();
  await expectAccessible(tab);
  await page.reload();
  await listIn(tab, 'cluster').waitFor();
  expectClean(tab);
});

test('at 390 px, and at 200 % zoom of 1280 px, there is the list alone', async () => {
  for (const options of [
    { viewport: { width: 390, height: 844 } },
    { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 },
  ]) {
    const tab = await site.at(`nodes/${ids['node1']}`, options);
    await listIn(tab, 'node').waitFor();
    await untilIdle(tab);
    expect(await graphIn(tab, 'node').count()).toBe(0);
    expect(await tab.page.getByRole('button', { name: 'Graph', exact: true }).count()).toBe(0);
    await expectNoSidewaysScroll(tab);
    await expectAccessible(tab);
    expectClean(tab);
  }
});
