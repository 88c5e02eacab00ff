import type { Request } from 'playwright-core';
import {
  expectAccessible,
  expectClean,
  logIn,
  menuLink,
  openSite,
  passTime,
  type Site,
  type Tab,
  untilFact,
  untilIdle,
} from './browser.ts';

const COUNT = 60;

let site: Site;
let tab: Tab;

const name = (index: number) => `db-${String(index).padStart(3, '0')}`;

beforeAll(async () => {
  site = await openSite();
  for (let index = 0; index < COUNT; index += 1) {
    const region = index % 20 === 0 ? { region: 'eu-central-1' } : {};
    const type = index === 40 ? 'container' : 'generic';
    const node = { node_type: type, node_name: name(index), address: `10.0.0.${index}`, ...region };
    expect((await site.api('POST', '/v1/nodes', node)).status).toBe(201);
  }
});
afterAll(() => site.close());

beforeEach(async () => {
  tab = await site.at('nodes');
});

const link = (text: string) => tab.page.getByRole('link', { name: text, exact: true });

/** What the page asks of the API while it does something, and what follows from that. */
async function askedDuring(work: () => Promise<unknown>): Promise<string[]> {
  await untilIdle(tab);
  const asked: string[] = [];
  const note = (request: Request) => asked.push(request.url().slice(site.server.base.length));
  tab.page.on('request', note);
  await work();
  await untilIdle(tab);
  tab.page.off('request', note);
  return asked.filter((path) => path.startsWith('/v1/'));
}

async function filterBy(...parts: string[]): Promise<void> {
  const input = tab.page.getByRole('combobox', { name: /^Filter/ });
  for (const part of parts) await input.pressSequentially(part);
  await input.press('Enter');
}

test('one page is loaded at a time, and pages that were seen can be gone back to', async () => {
  const { page } = tab;
  await link(name(0)).waitFor();
  expect(await link(name(25)).count()).toBe(0);
  await page.getByText('(60)').waitFor();
  const asked = await askedDuring(async () => {
    await page.getByRole('button', { name: 'Next page' }).click();
    await link(name(25)).waitFor();
    await page.getByRole('button', { name: 'Page 3' }).click();
    await link(name(59)).waitFor();
    await page.getByText('(60)').waitFor();
    await page.getByRole('button', { name: 'Page 2' }).click();
    await link(name(25)).waitFor();
  });
  // On a slow machine, page 2 is loaded again when it is shown again.
  expect(new Set(asked).size).toBe(2);
  for (const path of asked) expect(path).toMatch(/^\/v1\/nodes\?page_size=25&page_token=/);

  await link(name(30)).click();
  await page.getByRole('heading', { name: name(30), level: 1 }).waitFor();
  await page.goBack();
  await link(name(30)).waitFor();
  expect(await link(name(0)).count()).toBe(0);
  expectClean(tab);
});

test('a page that was seen is shown at once, and again by the server after a change by this page', async () => {
  const { page } = tab;
  await page.getByText('(60)').waitFor();
  await page.getByRole('button', { name: 'Page 2' }).click();
  await link(name(25)).waitFor();
  const { promise: held, resolve: release } = Promise.withResolvers<undefined>();
  await page.route(
    ({ pathname }) => pathname === '/v1/nodes',
    async (route) => {
      if (route.request().method() === 'GET') await held;
      await route.continue();
    },
  );
  await page.getByRole('button', { name: 'Page 1' }).click();
  await link(name(0)).waitFor();

  await page.evaluate(`location.hash = '#/nodes/add'`);
  await page.getByLabel('Name', { exact: true }).fill('an added node');
  await page.getByLabel('Address', { exact: true }).fill('10.0.9.9');
  await page.getByRole('button', { name: 'Add node' }).click();
  await page.getByRole('heading', { name: 'an added node', level: 1 }).waitFor();
  await page.evaluate(`location.hash = '#/nodes'`);
  await page.getByRole('heading', { name: /^Nodes/, level: 1 }).waitFor();
  expect(await link(name(0)).count()).toBe(0);
  release(undefined);
  await link('an added node').waitFor();
  await site.write('DELETE', `/v1/nodes/${(await site.api('GET', '/v1/nodes?name_prefix=an')).body.nodes[0].node_id}`);
  expectClean(tab);
});

test('the page and the order stand in the address; the last page is known with the total', async () => {
  const { page } = tab;
  await page.getByText('(60)').waitFor();
  await page.getByRole('button', { name: 'Page 3' }).click();
  await link(name(59)).waitFor();
  expect(page.url()).toMatch(/#\/nodes\?page=3$/);
  await page.reload();
  await link(name(59)).waitFor();
  expect(await link(name(49)).count()).toBe(0);
  await page.getByRole('button', { name: 'Page 2' }).click();
  await link(name(49)).waitFor();
  expect(await link(name(24)).count()).toBe(0);

  await page.goto(`${site.server.base}/#/nodes?page=9`);
  await page.getByText('No more rows.').waitFor();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await link(name(59)).waitFor();
  expect(page.url()).toMatch(/#\/nodes\?page=3$/);

  const asked = await askedDuring(async () => {
    await page.goto(`${site.server.base}/#/nodes?sort=-name&page=2`);
    await link(name(34)).waitFor();
  });
  // The place of a page in the order of the API is not looked for.
  expect(asked.filter((path) => path.includes('fields='))).toEqual([]);
  await page.locator('[data-focus-id=sorting-control-address]').last().press('Enter');
  await link(name(0)).waitFor();
  expect(page.url()).toMatch(/#\/nodes\?sort=address$/);
  await link(name(24)).click();
  await page.getByRole('heading', { name: name(24), level: 1 }).waitFor();
  await page.goBack();
  await page.locator('th[aria-sort=ascending]').getByText('Address').first().waitFor();
  await link(name(24)).waitFor();
  expectClean(tab);
});

test('after a log-in the total of a list comes from the summary: the inventory is not read', async () => {
  tab = await site.open('/#/nodes');
  const asked = await askedDuring(async () => {
    await logIn(tab);
    await tab.page.getByText('(60)').waitFor();
  });
  expect(asked).toContain('/v1/summary');
  expect(asked.filter((path) => path.startsWith('/v1/export'))).toEqual([]);
  expectClean(tab);
});

test('filters are the ones of the contract, are asked of the server, and stand in the address', async () => {
  const { page } = tab;
  await page.getByRole('combobox', { name: 'Filter nodes' }).click();
  for (const property of ['Type', 'Name', 'Region'])
    await page
      .locator('[role=option]')
      .filter({ hasText: new RegExp(`^${property}$`) })
      .waitFor();
  await page.keyboard.press('Escape');

  const asked = await askedDuring(async () => {
    await filterBy('Region', ' = ', 'eu-central-1');
    await page.getByText('3 matches').first().waitFor();
  });
  expect(asked.filter((path) => path.includes('region='))).toEqual([
    '/v1/nodes?page_size=25&region=eu-central-1&include=state',
  ]);
  expect(page.url()).toMatch(/#\/nodes\?region=eu-central-1$/);
  await expectAccessible(tab);

  // Together they add up; a name is what is typed without naming a filter.
  await filterBy(name(20));
  await page.getByText('1 match').first().waitFor();
  expect(page.url()).toMatch(/name_prefix=db-020/);
  await link(name(20)).waitFor();
  expectClean(tab);
});

test('a filtered list can be sent on, and cleared', async () => {
  const { page } = tab;
  await page.goto(`${site.server.base}/#/nodes?node_type=container`);
  await page.getByText('1 match').first().waitFor();
  await link(name(40)).waitFor();
  await page.goto(`${site.server.base}/#/nodes?node_type=remote_rds`);
  await page.getByText('No node matches').waitFor();
  await expectAccessible(tab);
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await link(name(0)).waitFor();
  expectClean(tab);
});

test('a page that filters have left short is filled up from the pages behind it', async () => {
  const { page } = tab;
  await link(name(0)).waitFor();
  await page.route('**/v1/nodes?*', async (route) => {
    const url = new URL(route.request().url());
    // As a busy filter does it: nothing in the first part of the list, though there is more.
    if (url.searchParams.get('page_token') !== null) await route.continue();
    else {
      const response = await route.fetch();
      const { next_page_token: token } = (await response.json()) as { next_page_token?: string };
      await route.fulfill({ response, json: { nodes: [], next_page_token: token } });
    }
  });
  await page.getByRole('button', { name: 'Reload the nodes' }).click();
  await link(name(25)).waitFor();
  await untilIdle(tab);
  expectClean(tab);
});

test('of the relations of agents one filter is taken at a time', async () => {
  const { page } = tab;
  const { nodes } = (await site.api('GET', '/v1/nodes?page_size=1')).body;
  const id = nodes[0].node_id as string;
  await page.goto(`${site.server.base}/#/agents?runs_on_node_id=${id}`);
  // The id is shown by the name of the node.
  await page.getByText(`Runs on node = ${name(0)}`).waitFor();
  await filterBy('Insight into node', ' = ', name(1));
  await page.getByText(`Insight into node = ${name(1)}`).waitFor();
  expect(page.url()).not.toContain('runs_on_node_id');
  await page.getByText('No agent matches').waitFor();
  expectClean(tab);
});

test('a failure is shown with the id of the request, and can be tried again', async () => {
  const { page } = tab;
  await page.route('**/v1/services?*', (route) =>
    route.fulfill({
      status: 500,
      json: { code: 13, status: 'INTERNAL', message: 'Internal server error.', details: [], request_id: 'r-4711' },
    }),
  );
  await menuLink(tab, 'Services').click();
  await page.getByText('The services could not be loaded').waitFor();
  await page.getByText('r-4711').waitFor();
  await expectAccessible(tab);
  await page.unroute('**/v1/services?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('No services yet').waitFor();
  expectClean(tab, [500]);
});

test('a slow request is shown as loading', async () => {
  const { page } = tab;
  let go = () => {};
  const held = new Promise<void>((resolve) => (go = resolve));
  await page.route('**/v1/services?*', async (route) => {
    await held;
    await route.continue();
  });
  await menuLink(tab, 'Services').click();
  await page.getByText('Loading services').waitFor();
  await expectAccessible(tab);
  go();
  await page.getByText('No services yet').waitFor();
  expectClean(tab);
});

test('while an object is loaded, the breadcrumbs name its list, not the former page', async () => {
  const { page } = tab;
  // Neither on the first page of the list nor among the latest changes: the console does not know its name.
  const { nodes } = (await site.api('GET', `/v1/nodes?name_prefix=${name(35)}`)).body;
  await page.getByRole('link', { name: 'Overview' }).click();
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' });
  await crumbs.getByText('Overview').first().waitFor();
  let go = () => {};
  const held = new Promise<void>((resolve) => (go = resolve));
  await page.route(
    ({ pathname }) => pathname.startsWith('/v1/nodes/'),
    async (route) => {
      await held;
      await route.continue();
    },
  );
  // The console gives up a request after a while, and the page of the failure has breadcrumbs of its own.
  let givenUp = 0;
  page.on('requestfailed', (request) => (givenUp += request.url().includes('/v1/nodes/') ? 1 : 0));
  await page.evaluate(`location.hash = '#/nodes/${nodes[0].node_id}'`);
  await crumbs.getByText('Nodes').first().waitFor();
  expect(givenUp).toBe(0);
  expect(await crumbs.getByText('Overview').count()).toBe(0);
  go();
  await crumbs.getByText(nodes[0].node_name).first().waitFor();
  await crumbs.getByRole('link', { name: 'Nodes' }).waitFor();
  expectClean(tab);
});

test('a missing object has a message', async () => {
  const { page } = tab;
  await page.goto(`${site.server.base}/#/nodes/gone`);
  await page.getByRole('heading', { name: 'This node does not exist' }).waitFor();
  await expectAccessible(tab);
  await page.goto(`${site.server.base}/#/no/such/page`);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await expectAccessible(tab);
  expectClean(tab, [404]);
});

test('an object is loaded again on request, and is not removed as somebody else has left it unseen', async () => {
  const { page } = tab;
  const { nodes } = (await site.api('GET', `/v1/nodes?name_prefix=${name(59)}`)).body;
  const change = (address: string) => site.write('PATCH', `/v1/nodes/${nodes[0].node_id}`, { address });
  await page.goto(`${site.server.base}/#/nodes/${nodes[0].node_id}`);
  await page.getByText('10.0.0.59').waitFor();
  await change('10.0.1.59');
  await page.getByRole('button', { name: 'Reload the node' }).click();
  await untilFact(tab, '10.0.1.59');

  await change('10.0.2.59');
  await page.getByRole('button', { name: 'Remove' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove node' });
  const remove = dialog.getByRole('button', { name: 'Remove', exact: true });
  await remove.click();
  await dialog.getByText('was changed by another user').waitFor();
  await untilFact(tab, '10.0.2.59');
  await page.getByRole('heading', { name: 'History (3)', includeHidden: true }).waitFor({ state: 'attached' });
  await remove.click();
  await page.getByText(`The node ${name(59)} was removed`).waitFor();
  expectClean(tab, [412]);
});

test('clusters are one call, with counts; a failure is shown and can be retried', async () => {
  const { page } = tab;
  const cluster = (name: string) => ({
    cluster: name,
    services: 3,
    nodes: 2,
    services_by_type: { mysql: 3 },
    services_by_state: { live: 2, never_seen: 1 },
    environments: ['prod'],
  });
  let fails = true;
  await page.route('**/v1/clusters?*', (route) =>
    fails
      ? route.fulfill({ status: 500, json: {} })
      : route.fulfill({ json: { clusters: [cluster('archive'), cluster('pxc')] } }),
  );
  const asked = await askedDuring(async () => {
    await page.getByRole('link', { name: 'Clusters' }).click();
    await page.getByText('The clusters could not be loaded').waitFor();
  });
  expect(asked.filter((path) => path.startsWith('/v1/clusters'))).toHaveLength(1);
  fails = false;
  await page.getByRole('button', { name: 'Reload the clusters' }).click();
  const row = page.getByRole('row', { name: /pxc/ });
  await row.getByRole('cell', { name: '2 live, 1 never seen' }).waitFor();
  await row.getByRole('cell', { name: '3', exact: true }).waitFor();
  await page.getByRole('textbox', { name: 'Find clusters' }).or(page.getByRole('searchbox')).first().fill('arch');
  await row.waitFor({ state: 'detached' });
  await expectAccessible(tab);
  expectClean(tab, [500]);
});

test('a cluster on many nodes asks for the agents of one page of nodes, with one request', async () => {
  const { page } = tab;
  const { nodes } = (await site.api('GET', '/v1/nodes?page_size=40')).body;
  const ids = (nodes as { node_id: string }[]).map(({ node_id: id }) => id);
  for (const from of [0, 20]) {
    const service = { service_type: 'mysql', service_name: `wide-${from}`, address: '10.0.0.1', port: 3306 };
    const body = { ...service, node_ids: ids.slice(from, from + 20), cluster: 'wide' };
    expect((await site.api('POST', '/v1/services', body)).status).toBe(201);
  }
  const rows = page.getByRole('table', { name: 'Nodes of the cluster' }).getByRole('row');
  const asked = await askedDuring(async () => {
    // The page was idle before: its state does not tell when the table has asked.
    const reply = page.waitForResponse(/runs_on_node_id/);
    await page.goto(`${site.server.base}/#/clusters/wide`);
    await rows.first().waitFor();
    // What comes above the table later would move it out of view again.
    await untilIdle(tab);
    await rows.first().scrollIntoViewIfNeeded();
    await (await reply).finished();
  });
  expect(await rows.count()).toBe(1 + 25);
  const ofNodes = asked.map((path) => new URL(path, site.server.base).searchParams.get('runs_on_node_id'));
  expect(ofNodes.flatMap((value) => (value === null ? [] : [value.split(',').length]))).toEqual([25]);
  await page.getByRole('button', { name: 'Next page' }).click();
  await rows.nth(1 + 15).waitFor({ state: 'detached' });
  expect(await rows.count()).toBe(1 + 15);
  await expectAccessible(tab);
  expectClean(tab);
});

test('suggestions for a filter come from the whole inventory, not from the page that is shown', async () => {
  const { page } = tab;
  // Of the nodes with a region, the last one is on the third page.
  await site.api(
    'PATCH',
    `/v1/nodes/${(await site.api('GET', '/v1/nodes?name_prefix=db-058')).body.nodes[0].node_id}`,
    {
      region: 'far-away-1',
    },
  );
  const asked = await askedDuring(async () => {
    const input = page.getByRole('combobox', { name: 'Filter nodes' });
    await input.pressSequentially('Region');
    await input.pressSequentially(' = ');
    const option = page.locator('[role=option]').filter({ hasText: 'far-away-1' });
    await option.waitFor();
    // The index may still be read, and more values would move this one.
    await untilIdle(tab);
    await option.click();
    await page.getByText('1 match').first().waitFor();
  });
  // The values come from the index, which is read once.
  expect(asked.filter((path) => /fields=|export/.test(path))).toEqual(['/v1/export?page_size=1000']);
  await link(name(58)).waitFor();
  expectClean(tab);
});

test('a selector and a time in the address are filters; what the console cannot show is refused with a way out', async () => {
  const { page } = tab;
  const at = (query: string) => page.goto(`${site.server.base}/#/nodes?${query}`);
  await at('selector=region%3Deu-central-1&updated_since=2020-01-01T00:00:00Z');
  await page.getByText('region = eu-central-1').waitFor();
  await page.getByText('Changed since = 2020-01-01T00:00:00Z').waitFor();
  await page.getByText('3 matches').first().waitFor();
  await at('fields=node_name&region=eu-central-1');
  await page.getByText('The console does not support these parameters').waitFor();
  await expectAccessible(tab);
  await page.getByRole('button', { name: 'Show with 1 filter' }).click();
  await page.getByText('3 matches').first().waitFor();
  await at('selector=%3D%3D');
  await page.getByText('The nodes could not be loaded').waitFor();
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await link(name(0)).waitFor();
  expectClean(tab);
});

test('a list can be filtered by a part of a name or an address, which the address of the page keeps', async () => {
  const { page } = tab;
  await page.goto(`${site.server.base}/#/nodes`);
  await link(name(0)).waitFor();
  const input = page.getByRole('combobox', { name: 'Filter nodes' });
  await input.pressSequentially('Name');
  await input.pressSequentially(' : ');
  await input.pressSequentially('B-04');
  await page.keyboard.press('Enter');
  await page.getByText('Name : B-04').waitFor();
  await page.getByText('10 matches').first().waitFor();
  await link(name(40)).waitFor();
  expect(new URL(page.url()).hash).toContain('name_contains=B-04');
  await page.reload();
  await page.getByText('Name : B-04').waitFor();
  await page.getByText('10 matches').first().waitFor();
  await expectAccessible(tab);
  await page.goto(`${site.server.base}/#/nodes?address_contains=no-such-address`);
  await page.getByText('No node matches').waitFor();
  expectClean(tab);
});

test('agents are found by what is typed: a type, or the name of a node', async () => {
  const { page } = tab;
  const { node_id: id } = (await site.api('GET', '/v1/nodes?name_prefix=db-007')).body.nodes[0];
  await site.write('POST', '/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: id });
  await page.getByRole('link', { name: 'Agents', exact: true }).click();
  await page.getByText('(1)').waitFor();
  await filterBy(name(7));
  await page.getByText(`Runs on node = ${name(7)}`).waitFor();
  await page.getByText('1 match').first().waitFor();
  await filterBy('pmm_agent');
  await page.getByText('Type = pmm_agent').waitFor();
  await filterBy('no such name');
  await page.getByText('No agent type, node or service has a name that begins with "no such name".').waitFor();
  expectClean(tab);
});

test('a list that fits the page exactly has no plus, and no second page', async () => {
  const { page } = tab;
  for (let index = 0; index < 25; index += 1)
    await site.addNode(`exact-${String(index).padStart(2, '0')}`, { address: `10.2.0.${index}` });
  await page.goto(`${site.server.base}/#/nodes?name_prefix=exact-`);
  await page.getByText('(25)').waitFor();
  expect(await page.getByRole('button', { name: 'Next page' }).count()).toBe(0);
  expectClean(tab);
});

test('how long ago something was follows the clock', async () => {
  const { page } = tab;
  await page.clock.install();
  await page.reload();
  await page
    .getByText(/just now|minutes? ago/)
    .first()
    .waitFor();
  await passTime(tab, '03:00:00');
  await page.getByText('3 hours ago').first().waitFor();
  expectClean(tab);
});

test('a list that could not be loaded does not say that it is loading', async () => {
  const { page } = tab;
  await page.getByText(/^Loaded at/).waitFor();
  await page.goto(`${site.server.base}/#/nodes?state=bogus`);
  await page.getByText('The nodes could not be loaded').waitFor();
  await page.getByText('Not loaded', { exact: true }).waitFor();
  expect(await page.getByText('Loading', { exact: true }).count()).toBe(0);
  await expectAccessible(tab);
});
