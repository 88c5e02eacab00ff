import { cellsOf, goTo, pageTime, pass, rowsOf, screen, textOf, user } from '../testing/page.tsx';
import type { Network } from '../testing/network.tsx';
import { openSite } from '../testing/site.tsx';

/** Four clusters. Three of the hosts of `archive` report, of which one has fallen silent. */
const clusters = [
  { name: 'archive', type: 'postgresql', hosts: 3, reports: 3, region: 'eu', environment: 'production' },
  { name: 'orders', type: 'mysql', hosts: 2, reports: 2, region: 'us', environment: 'production' },
  { name: 'search', type: 'mongodb', hosts: 1, reports: 1, region: 'us', environment: 'staging' },
  { name: 'wide', type: 'mysql', hosts: 40, reports: 0, region: 'ap', environment: 'staging' },
];

const site = openSite();

/** Each host with one service; returns the ids of the process of each host. */
async function addCluster({ name, type, hosts, region, environment }: (typeof clusters)[number]): Promise<string[]> {
  const operations = Array.from({ length: hosts }, (_, index) => {
    const address = `${name}-${index}.example.com`;
    const host = { node_type: 'generic', node_name: `${name}-host-${index}`, address, region };
    const times = { stale_after: '1h', offline_after: name === 'archive' && index === 0 ? '2h' : '30d' };
    const service = { service_type: type, service_name: `${name}-db-${index}`, address, port: 3306 };
    return [
      { op: 'addNode', ref: `host_${index}`, body: { ...host, ...times } },
      {
        op: 'addService',
        body: { ...service, node_ids: [`$host_${index}`], cluster: name, environment },
      },
      { op: 'addAgent', ref: `pmm_${index}`, body: { agent_type: 'pmm_agent', runs_on_node_id: `$host_${index}` } },
    ];
  });
  const ids: string[] = [];
  for (let from = 0; from < hosts; from += 20) {
    const { results } = await site.write('POST', '/v1/batch', { operations: operations.slice(from, from + 20).flat() });
    ids.push(...results.filter((_: unknown, index: number) => index % 3 === 2).map(({ id }: { id: string }) => id));
  }
  return ids;
}

const hoursAgo = (hours: number) => new Date(pageTime() - hours * 3_600_000);

beforeAll(async () => {
  for (const cluster of clusters) {
    const processes = await addCluster(cluster);
    for (const [index, id] of processes.slice(0, cluster.reports).entries()) {
      if (cluster.name === 'archive') site.inventory.clock.now = hoursAgo([3, 1.5, 0][index]!);
      await site.write('POST', `/v1/agents/${id}/report`, { agents: [] });
      site.inventory.clock.now = undefined;
    }
  }
});

const names = () => cellsOf(rowsOf('Clusters')).map(([name]) => name);

const title = () => textOf(document.querySelector('main h1')!);

test('clusters are one call, with the fewest live members first and the states of their services; a failure can be tried again', async () => {
  const network = await site.at('overview');
  network.refuseNext('GET /v1/clusters', 403, 'Not today.');
  await goTo('clusters');
  expect(textOf()).toContain('The clusters could not be loaded');
  const asked = () => network.requests.filter((path) => path.startsWith('GET /v1/clusters'));
  const before = asked().length;
  await user.click(screen.getByLabelText('Reload the clusters'));
  expect(asked().length - before).toBe(1);
  expect(names()).toEqual(['wide', 'archive', 'orders', 'search']);
  const archive = cellsOf(rowsOf('Clusters'))[1];
  expect(archive).toContain('1 live, 1 stale, 1 offline');
  expect(archive).toContain('3');
});

test('clusters are found by their name, filtered by state and type, sorted, and grouped, which the address keeps', async () => {
  await site.at('clusters');
  await user.type(screen.getByLabelText('Find clusters'), 'archi');
  await pass(500);
  expect(names()).toEqual(['archive']);
  await user.clear(screen.getByLabelText('Find clusters'));
  await pass(500);
  await goTo('clusters?state=live');
  expect(title()).toBe('Clusters (2/4)');
  await user.click(screen.getByRole('button', { name: /^Any type/ }));
  await user.click(screen.getByRole('option', { name: 'mysql' }));
  expect(title()).toBe('Clusters (1/4)');
  expect(names()).toEqual(['orders']);
  expect(location.hash).toBe('#/clusters?state=live&type=mysql');

  await goTo('clusters');
  const sort = () => user.click([...document.querySelectorAll('[data-focus-id=sorting-control-name]')].at(-1)!);
  await sort();
  expect(names()).toEqual(['archive', 'orders', 'search', 'wide']);
  await sort();
  expect(names()).toEqual(['wide', 'search', 'orders', 'archive']);

  for (const [property, value] of [
    ['environment', 'staging'],
    ['region', 'us'],
  ]) {
    await goTo('clusters');
    await user.click(screen.getByRole('button', { name: `Group by ${property}` }));
    const groups = screen.getByRole('list', { name: new RegExp(`^Clusters by ${property}$`, 'i') });
    expect([...groups.querySelectorAll('li')].map(textOf)).toContain(`${value} 2`);
    await user.click([...groups.querySelectorAll('a')].find(({ textContent }) => textContent === value)!);
    expect(title()).toBe('Clusters (2/4)');
    expect(location.hash).toBe(`#/clusters?${property}=${value}`);
  }
});

test('the page of a cluster shows the state of its nodes and services, with the silent ones', async () => {
  await site.at('clusters/archive');
  const row = (table: string, name: string) =>
    rowsOf(table)
      .map(textOf)
      .find((text) => text.includes(name));
  expect(row('Nodes of the cluster', 'archive-host-0')).toContain('OfflineNo report for');
  expect(row('Nodes of the cluster', 'archive-host-1')).toContain('Stale');
  expect(row('Services of the cluster', 'archive-db-0')).toContain('OfflineNo report from its node for');
});

test('a cluster on many nodes asks for the agents of one page of nodes, with one request', async () => {
  const network = await site.at('clusters/wide');
  expect(rowsOf('Nodes of the cluster')).toHaveLength(25);
  const values = network.requests.map((path) => new URLSearchParams(path.split('?')[1]).get('runs_on_node_id'));
  expect(values.flatMap((value) => (value === null ? [] : [value.split(',').length]))).toEqual([25]);
  await user.click(screen.getAllByRole('button', { name: 'Next page', hidden: true })[0]!);
  expect(rowsOf('Nodes of the cluster')).toHaveLength(15);
});

test('an address of a cluster that no service names says that it does not exist, and offers no action on it', async () => {
  await site.at('clusters/nope');
  expect(title()).toBe('This cluster does not exist');
  expect(textOf(document.querySelector('main')!)).toContain('nope');
  for (const action of ['Silence', 'Actions', 'Add service'])
    expect(screen.queryByRole('button', { name: action })).toBeNull();
});

const headers = () => [...new Set([...document.querySelectorAll('main thead th')].map(textOf))];

test('a column without a value in any row of the page is not shown, and each cell says its value once, on one line', async () => {
  await site.at('clusters');
  const usual = ['Cluster', 'Health', 'Services', 'Nodes', 'Types', 'Regions'];
  expect(headers()).toEqual([...usual, 'Environments']);
  expect(cellsOf(rowsOf('Clusters')).find(([name]) => name === 'archive')).toEqual([
    'archive',
    '1 live, 1 stale, 1 offline',
    '3',
    '3',
    'postgresql',
    'eu',
    'production',
  ]);
  const endpoint = { address: '10.8.0.1', port: 3306, cluster: 'without-environment' };
  await site.write('POST', '/v1/services', { service_type: 'mysql', service_name: 'without-environment', ...endpoint });
  await goTo('services');
  await goTo('clusters');
  await user.type(screen.getByLabelText('Find clusters'), 'without');
  await pass(500);
  // It runs on no node, so it has no region.
  expect(headers()).toEqual(usual.slice(0, -1));
});

test('a long name of a cluster is cut in its middle, and its link and tooltip have all of it', async () => {
  const cluster = `${'x'.repeat(110)}-mysql-production`;
  const endpoint = { address: '10.8.0.2', port: 3306, cluster };
  await site.write('POST', '/v1/services', { service_type: 'mysql', service_name: 'long-name', ...endpoint });
  await site.at('clusters');
  const link = screen.getByRole('link', { name: cluster });
  expect([...link.querySelectorAll('bdi > span')].map(textOf)).toEqual([`${'x'.repeat(110)}-mysq`, 'l-production']);
  expect(link.querySelector('bdi')!.title).toBe(cluster);
});

test('a dead cluster alone is red, and has a button in a column that is shown while a dead cluster is', async () => {
  await site.at('clusters');
  expect(headers()).not.toContain('Actions');
  const [process] = await addCluster({ ...clusters[2]!, name: 'dead' });
  const [node] = (await site.api('GET', '/v1/nodes?name_prefix=dead')).body.nodes;
  await site.write('PATCH', `/v1/nodes/${node.node_id}`, { stale_after: '1h', offline_after: '2h' });
  site.inventory.clock.now = hoursAgo(3);
  await site.write('POST', `/v1/agents/${process}/report`, { agents: [] });
  site.inventory.clock.now = undefined;
  await site.at('clusters');
  expect(headers()).toContain('Actions');
  const row = rowsOf('Clusters').find((candidate) => textOf(candidate).startsWith('dead'))!;
  expect(cellsOf([row])[0]!.slice(0, 2)).toEqual(['dead', '1 offline']);
  const isRed = (candidate: Element) => candidate.querySelector('[aria-label="None is live"]') !== null;
  expect(rowsOf('Clusters').filter(isRed)).toEqual([row]);
  const cells = [...row.querySelectorAll('td, th')];
  const withButton = cells.filter((cell) => cell.querySelector('button') !== null);
  expect(withButton).toEqual([cells.at(-1)]);
  await user.click(screen.getByRole('button', { name: 'Remove dead with its nodes' }));
  expect(screen.getByRole('dialog', { name: /^Remove: / })).toBeDefined();
});

test('clusters with an equal share of live members are in the order of their names, whatever the case of letters', async () => {
  const names = ['UPPER', 'a/b', 'db-10', 'db-9'];
  for (const [index, cluster] of names.entries())
    await site.write('POST', '/v1/services', {
      ...{ service_type: 'mysql', service_name: `alone-${index}`, address: `10.7.0.${index}`, port: 3306, cluster },
    });
  await site.at('clusters');
  const shown = cellsOf(rowsOf('Clusters')).map(([name = '']) => name);
  expect(shown.filter((name) => names.includes(name))).toEqual(['a/b', 'db-9', 'db-10', 'UPPER']);
});

test('a cluster with more services than the page reads says so', async () => {
  const { body } = await site.api('GET', '/v1/services?cluster=search&include=state');
  const before = (network: Network) =>
    void network.answer(/^GET \/v1\/services\?(.*&)?cluster=search/, () => ({ ...body, next_page_token: 'more' }));
  await site.at('clusters/search', { before });
  expect(textOf()).toContain('1 service and more on 1 node, 0 agents');
  await site.at('clusters/search');
  expect(textOf()).toContain('1 service on 1 node, 0 agents');
});

test('the map of the members zooms by steps, within limits, and back to its original size', async () => {
  await site.at('clusters/orders');
  const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
  const stepsOf = async (name: string) => {
    let steps = 0;
    for (; !button(name).disabled; steps += 1) await user.click(button(name));
    return steps;
  };
  expect(button('Original size').disabled).toBe(true);
  expect([await stepsOf('Zoom out'), await stepsOf('Zoom in')]).toEqual([3, 5]);
  expect([await stepsOf('Original size'), await stepsOf('Zoom in')]).toEqual([1, 2]);
});
