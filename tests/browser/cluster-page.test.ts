import { eventually } from '../end-to-end/processes.ts';
import { expectAccessible, expectClean, expectNoSidewaysScroll, logInWithKey, useSite, untilIdle } from './browser.ts';
import { addFleet } from './fleet.ts';
import { untilSilent } from './until-silent.ts';

const site = useSite();

beforeAll(async () => {
  await addFleet(site, untilSilent);
  // A cluster of replication sets, of which no member has ever reported.
  const members = ['rs1', 'rs2'].flatMap((set) =>
    ['a', 'b'].map((zone) => ({ set, zone, name: `shards-${set}-${zone}` })),
  );
  const operations = members.flatMap(({ set, zone, name }, index) => [
    {
      op: 'addNode',
      ref: `host_${name}`,
      body: {
        ...{ node_type: 'generic', node_name: name, address: `10.9.0.${index + 1}` },
        ...{ region: 'us-west-2', az: `us-west-2${zone}` },
      },
    },
    {
      op: 'addService',
      body: {
        ...{ service_type: 'mongodb', service_name: `${name}-db`, node_ids: [`$host_${name}`] },
        ...{ address: '10.9.0.1', port: 27_017 + index, cluster: 'shards', replication_set: set },
      },
    },
  ]);
  const { results } = await site.write('POST', '/v1/batch', { operations });
  expect(results.map(({ status }: { status: number }) => status)).toEqual(operations.map(() => 201));
});

const countsOf = async () => {
  const { body } = await site.api('GET', '/v1/services?cluster=orders-1&page_size=100');
  const { body: hosts } = await site.api('GET', '/v1/nodes?name_prefix=orders-1-&page_size=100');
  return { services: body.services.length as number, nodes: hosts.nodes.length as number };
};

test('clusters are sorted by their live share, and one with a live member, or never seen, is not red', async () => {
  const tab = await site.at('clusters');
  const { page } = tab;
  const rows = page.getByRole('grid', { name: 'Clusters' }).locator('tbody tr');
  const row = (name: string) => rows.filter({ has: page.getByRole('link', { name, exact: true }) });
  await rows.first().getByRole('link', { name: 'shards' }).waitFor();
  await rows.nth(1).getByRole('link', { name: 'ledger-3' }).waitFor();
  await row('ledger-3').getByText('4 live, 1 stale, 1 offline', { exact: true }).waitFor();
  expect(await row('ledger-3').locator('svg rect.state-offline').getAttribute('width')).toBe('12');
  await row('shards').getByText('4 never seen', { exact: true }).waitFor();
  expect(await rows.locator('[class*=awsui_status-]').count()).toBe(0);
  await page.locator('[data-focus-id=sorting-control-health]').last().press('Enter');
  await rows.last().getByRole('link', { name: 'shards' }).waitFor();
  expectClean(tab);
});

test('a cluster page shows the states below the name and the worst members first, with live ones folded', async () => {
  const tab = await site.at('clusters/ledger-3', { viewport: { width: 1440, height: 900 } });
  const { page } = tab;
  await page.getByText('4 live, 1 stale, 1 offline', { exact: true }).waitFor();
  await page.getByText('6 services on 4 nodes, 8 agents').waitFor();
  const rows = page.getByRole('table', { name: 'Services of the cluster' }).locator('tbody tr');
  await rows.first().getByRole('link', { name: 'ledger-3-db-2' }).waitFor();
  await rows.nth(1).getByRole('link', { name: 'ledger-3-db-4' }).waitFor();
  expect(await rows.count()).toBe(2);
  const fold = page.getByRole('button', { name: 'Show 4 live services' });
  expect(await fold.getAttribute('aria-expanded')).toBe('false');
  await fold.press('Enter');
  await rows.nth(5).waitFor();
  await page.getByRole('button', { name: 'Hide 4 live services' }).waitFor();
  await expectAccessible(tab);
  expectClean(tab);
});

test('the map shows members by group and zone, with a dot for each agent and a zoom', async () => {
  const tab = await site.at('clusters/ledger-3', { viewport: { width: 1440, height: 900 } });
  const { page } = tab;
  const members = (name: string) => page.getByRole('list', { name, exact: true }).getByRole('link');
  await members('Proxies, eu-central-1a').getByText('ledger-3-proxy-1').waitFor();
  expect(await members('postgresql, eu-central-1a').count()).toBe(2);
  const offline = members('postgresql, eu-central-1b');
  expect(await offline.textContent()).toMatch(/^ledger-3-db-2Offline.*2 agents, 2 offline/);
  expect(await offline.locator('.agent-dot').count()).toBe(2);
  const heightOf = async () => (await offline.boundingBox())!.height;
  const former = await heightOf();
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await eventually(async () => (await heightOf()) > former);
  await page.getByRole('button', { name: 'Original size' }).click();
  await eventually(async () => (await heightOf()) === former);
  await offline.press('Enter');
  await page.getByRole('heading', { name: 'ledger-3-db-2', level: 1 }).waitFor();

  await page.goto(`${site.server.base}/#/clusters/shards`);
  for (const group of ['Replication set rs1, us-west-2a', 'Replication set rs2, us-west-2b'])
    await members(group).waitFor();
  expectClean(tab);
});

test('at 390 px members are stacked below their zones', async () => {
  const tab = await site.at('clusters/ledger-3', { viewport: { width: 390, height: 844 } });
  const { page } = tab;
  await page.getByRole('list', { name: 'postgresql, eu-central-1b' }).getByRole('link').waitFor();
  await page.getByText('eu-central-1b', { exact: true }).filter({ visible: true }).first().waitFor();
  const { x, width } = (await page.locator('.cluster-health').boundingBox())!;
  expect(x + width).toBeLessThanOrEqual(390 - x);
  await expectNoSidewaysScroll(tab);
  await expectAccessible(tab);
  await page.goto(`${site.server.base}/#/clusters`);
  await page.getByText('4 live, 1 stale, 1 offline', { exact: true }).first().waitFor();
  await expectNoSidewaysScroll(tab);
  await expectAccessible(tab);
  expectClean(tab);
});

test('one action labels a whole cluster, disables its agents, or removes it with its nodes, each with an undo', async () => {
  // A service of another cluster keeps its node.
  const { body } = await site.api('GET', '/v1/nodes?name_prefix=orders-1-host-4');
  const other = { service_type: 'mysql', service_name: 'other-db', address: '10.0.0.9', port: 3306, cluster: 'other' };
  await site.write('POST', '/v1/services', { ...other, node_ids: [body.nodes[0].node_id] });
  const tab = await site.at('clusters/orders-1', { viewport: { width: 1440, height: 900 } });
  const { page } = tab;
  const open = async (item: string, title: RegExp) => {
    // The page has the objects as the action before has left them.
    await untilIdle(tab);
    await page.getByRole('button', { name: 'Actions', exact: true }).click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.waitFor();
    return dialog;
  };
  const selected = async (list: string) => (await site.api('GET', `/v1/${list}&page_size=100`)).body;

  // 6 services, 3 nodes, 5 agents on each of these, and the 2 of the database on the fourth.
  const label = await open('Set label', /^Set label: 26 objects/);
  await label.getByText('Not included: 1 node with services of others').waitFor();
  await label.getByLabel('Label', { exact: true }).fill('owner');
  await label.getByLabel('Value', { exact: true }).fill('dba');
  await expectAccessible(tab);
  await label.getByRole('button', { name: 'Set label', exact: true }).click();
  await page.getByText('The label was set on 26 objects.').first().waitFor();
  expect((await selected('nodes?selector=owner%3Ddba')).nodes).toHaveLength(3);
  expect((await selected('services?selector=owner%3Ddba')).services).toHaveLength(6);
  expect((await selected('agents?selector=owner%3Ddba')).agents).toHaveLength(17);
  await page.getByRole('button', { name: 'Undo: Set label' }).click();
  await page.getByText('The former state of 26 of 26 objects was restored.').first().waitFor();
  expect((await selected('agents?selector=owner%3Ddba')).agents).toEqual([]);

  const disabling = await open('Disable agents', /^Disable: \d+ objects/);
  await disabling.getByRole('button', { name: 'Disable', exact: true }).click();
  await page
    .getByText(/^Disabled: \d+ objects\./)
    .first()
    .waitFor();
  const exporters = async () =>
    (await selected('agents?agent_type=mysqld_exporter')).agents.filter((agent: any) => agent.disabled)
      .length as number;
  expect(await exporters()).toBe(4);
  await page.getByRole('button', { name: 'Undo: Disable' }).click();
  await eventually(async () => (await exporters()) === 0);
  await page.getByRole('button', { name: 'Undo: Disable' }).waitFor({ state: 'detached' });

  const removal = await open('Remove with its nodes', /^Remove: 9 objects/);
  await removal.getByText('Also removed (17):').waitFor();
  await removal.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('Removed: 9 objects with 17 dependent objects.').first().waitFor();
  expect(await countsOf()).toEqual({ services: 0, nodes: 1 });
  await page.getByRole('button', { name: 'Undo: Remove' }).click();
  await page.getByText('26 objects restored.').first().waitFor();
  expect(await countsOf()).toEqual({ services: 6, nodes: 4 });
  await page.getByRole('heading', { name: 'Services of the cluster (6)' }).waitFor();
  expectClean(tab);
});

test('the list removes a cluster without reporting members for permitted users, with an undo', async () => {
  const operations = [1, 2].flatMap((number) => [
    {
      op: 'addNode',
      ref: `host_${number}`,
      body: {
        ...{ node_type: 'generic', node_name: `retired-${number}`, address: `10.8.0.${number}` },
        ...{ stale_after: '10s', offline_after: '11s' },
      },
    },
    {
      op: 'addService',
      body: {
        ...{ service_type: 'mysql', service_name: `retired-db-${number}`, node_ids: [`$host_${number}`] },
        ...{ address: `10.8.0.${number}`, port: 3306, cluster: 'retired' },
      },
    },
    { op: 'addAgent', body: { agent_type: 'pmm_agent', runs_on_node_id: `$host_${number}` } },
  ]);
  const { results } = await site.write('POST', '/v1/batch', { operations });
  expect(results.map(({ status }: { status: number }) => status)).toEqual(operations.map(() => 201));
  // The second node has never reported.
  await site.write('POST', '/v1/reports', { reports: [{ pmm_agent_id: results[2].id, agents: [] }] });
  const count = async (path: string, list: string) => (await site.api('GET', path)).body[list].length as number;
  await eventually(async () => (await count('/v1/nodes?state=offline&name_prefix=retired-', 'nodes')) === 1, 60_000);

  const { key } = (await site.api('POST', '/v1/api-keys', { name: 'viewer', role: 'Viewer' })).body;
  const viewer = await site.open('/#/clusters');
  await logInWithKey(viewer, key);
  await viewer.page.getByText('1 offline, 1 never seen').waitFor();
  expect(await viewer.page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
  expectClean(viewer);

  const tab = await site.at('clusters', { viewport: { width: 1440, height: 900 } });
  const { page } = tab;
  const row = page.getByRole('grid', { name: 'Clusters' }).getByRole('row').filter({ hasText: 'retired' });
  const button = page.getByRole('button', { name: /^Remove .* with its nodes$/ });
  await row.getByText('1 offline, 1 never seen').waitFor();
  // Clusters that are live in part, or were never seen, have no such button.
  expect(
    await button.evaluateAll((buttons) => buttons.map((element: any) => element.getAttribute('aria-label'))),
  ).toEqual(['Remove retired with its nodes']);
  await expectAccessible(tab);
  await button.click();
  const dialog = page.getByRole('dialog', { name: 'Remove: 4 objects' });
  await dialog.getByText('Cluster retired (4):').waitFor();
  await dialog.getByText('Also removed (2):').waitFor();
  await expectAccessible(tab);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await button.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('Removed: 4 objects with 2 dependent objects.').first().waitFor();
  await row.waitFor({ state: 'detached' });
  expect(await count('/v1/nodes?name_prefix=retired-', 'nodes')).toBe(0);
  await page.getByRole('button', { name: 'Undo: Remove' }).click();
  await page.getByText('6 objects restored.').first().waitFor();
  expect(await count('/v1/nodes?name_prefix=retired-', 'nodes')).toBe(2);
  expectClean(tab);
});
