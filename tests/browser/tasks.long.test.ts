/** The tasks of an operator on a large fleet of 14,000 objects, each from the overview. Says how long each takes, which is no assertion. */
import type { CDPSession, Locator } from 'playwright-core';
import { eventually } from '../end-to-end/processes.ts';
import { expectClean, useSite, type Tab, untilIdle } from './browser.ts';
import { choose as chooseByKeys, chooseItem, expectFocus, moveInGrid, moveTo, press } from './keys.ts';
import {
  addLargeFleet,
  addressOf,
  clusters,
  hostName,
  nastyClusters,
  OLD_VERSION,
  WAITING,
  WAITING_CLUSTER,
  WAITING_REGION,
  WITHOUT_VERSION,
} from './large-fleet.ts';

/** Of each task, also of those with a confirmation. */
const MOST_CLICKS = 3;

const site = useSite();
let tab: Tab;
let clicks: number;
let begin: number;

beforeAll(async () => {
  await addLargeFleet(site);
  await site.write('POST', '/v1/api-keys', { name: 'old-pipeline', role: 'Editor' });
});

beforeEach(async () => {
  tab = await site.at('overview', { viewport: { width: 1440, height: 900 } });
  await tab.page.getByRole('table', { name: 'Needs attention' }).waitFor();
  clicks = 0;
  begin = performance.now();
});
afterEach(() => {
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  process.stderr.write(`${expect.getState().currentTestName}: ${clicks} clicks, ${seconds} s\n`);
  expectClean(tab);
});

/** A cluster with five databases on separate nodes, none of which reports any more. */
async function addDeadCluster(cluster: string): Promise<void> {
  const operations = [1, 2, 3, 4, 5].flatMap((number) => {
    const [name, address] = [`${cluster}-${number}`, `10.21.0.${number}`];
    const timers = { stale_after: '10s', offline_after: '11s' };
    const node = { node_type: 'generic', node_name: name, address, region: 'us-west-2', ...timers };
    const service = { service_type: 'mysql', service_name: `${name}-db`, address, port: 3306, cluster };
    return [
      { op: 'addNode', ref: `node_${number}`, body: node },
      { op: 'addService', body: { ...service, node_ids: [`$node_${number}`] } },
      { op: 'addAgent', body: { agent_type: 'pmm_agent', runs_on_node_id: `$node_${number}` } },
    ];
  });
  const { results } = await site.write('POST', '/v1/batch', { operations });
  const agents = results.filter((_: object, index: number) => operations[index]?.op === 'addAgent');
  const reports = agents.map(({ id }: { id: string }) => ({ pmm_agent_id: id, agents: [] }));
  await site.write('POST', '/v1/reports', { reports });
  const path = `/v1/nodes?state=offline&name_prefix=${cluster}-`;
  await eventually(async () => (await site.api('GET', path)).body.nodes.length === 5, 60_000);
}

async function click(place: Locator): Promise<void> {
  await place.click();
  clicks += 1;
}

const link = (name: string | RegExp) => tab.page.getByRole('link', { name, exact: true }).first();
const button = (name: string | RegExp) => tab.page.getByRole('button', { name, exact: true });
const heading = (name: string) => tab.page.getByRole('heading', { name, level: 1 }).waitFor();
const choose = async (item: string) => click(tab.page.getByRole('menuitem', { name: item, exact: true }));

test('the overview shows that agents wait, with their region and cluster', async () => {
  const findings = tab.page.getByRole('table', { name: 'Needs attention' });
  for (const [count, place] of [
    [WAITING.region, WAITING_REGION],
    [WAITING.cluster, WAITING_CLUSTER],
  ] as const)
    await findings.getByText(`${count} of ${WAITING.all} in ${place}`).waitFor();
  await findings.getByText('42 nodes offline').waitFor();
  expect(clicks).toBe(0);
});

const search = async (text: string) => {
  await tab.page.keyboard.press('/');
  await tab.page.locator('#top header [role=search] input:focus').waitFor();
  await tab.page.keyboard.type(text);
};

test('a host is found by its address', async () => {
  const host = clusters[3]!;
  await search(addressOf(host, 1));
  // Nine others begin with this address.
  const options = tab.page.locator('#top header [role=option]').filter({ hasText: `Address: ${addressOf(host, 1)}` });
  await options.first().waitFor();
  // Results of the server move when those of the index come.
  await untilIdle(tab);
  await click(options.first());
  await heading(hostName(host, 1));
  expect(clicks).toBe(1);
});

test('the failing agents of a region are listed', async () => {
  await click(link(`${WAITING.region} of ${WAITING.all} in ${WAITING_REGION}`));
  await heading(`Agents (${WAITING.region})`);
  expect(clicks).toBe(1);
});

/** The number of objects that the API counts in a list. */
const totalOf = async (path: string): Promise<number> =>
  (await site.api('GET', `${path}&page_size=1&total=true`)).body.total;

test('the failing agents are sorted by the time since which they fail', async () => {
  await click(link(`${WAITING.all} agents waiting`));
  await heading(`Agents (${WAITING.all})`);
  // The visible header lies below the one that stays: a click on its text is one on it.
  await tab.page.locator('[data-focus-id=sorting-control-since]').last().press('Enter');
  clicks += 1;
  await tab.page.locator('th[aria-sort=ascending]').filter({ hasText: 'Since' }).first().waitFor();
  await untilIdle(tab);
  expect(await totalOf('/v1/agents?status=waiting')).toBe(WAITING.all);
  expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
});

test('the hosts with an old agent are a group of nodes', async () => {
  const count = await totalOf(`/v1/nodes?agent_version=${OLD_VERSION}`);
  expect(count).toBeGreaterThan(100);
  await click(link('Nodes'));
  await click(button('Group by agent version'));
  await click(tab.page.getByRole('list', { name: 'Nodes by Agent version' }).getByRole('link', { name: OLD_VERSION }));
  await heading(`Nodes (${count})`);
  expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
});

test('the agents of an old version are a group of agents', async () => {
  const count = await totalOf(`/v1/agents?version=${OLD_VERSION}`);
  await click(link('Agents'));
  await click(button('Group by version'));
  await click(tab.page.getByRole('list', { name: 'Agents by Version' }).getByRole('link', { name: OLD_VERSION }));
  await heading(`Agents (${count.toLocaleString('en')})`);
  expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
});

test('the hosts that are offline in Sydney are a group of the offline ones', async () => {
  const count = await totalOf(`/v1/nodes?state=offline&region=${WAITING_REGION}`);
  await click(link('42 nodes offline'));
  await heading('Nodes (42)');
  await click(button('Group by region'));
  await click(tab.page.getByRole('list', { name: 'Nodes by Region' }).getByRole('link', { name: WAITING_REGION }));
  await heading(`Nodes (${count})`);
  expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
});

test('groups of a fleet of which most is live are red nowhere, and the worst is first', async () => {
  await click(link('Nodes'));
  await click(button('Group by region'));
  const groups = tab.page.getByRole('list', { name: 'Nodes by Region' });
  await groups.getByRole('listitem').first().waitFor();
  expect(await groups.getByLabel('None is live').count()).toBe(0);
  const { groups: counted } = (await site.api('GET', '/v1/groups?kind=node&group_by=region')).body;
  const shareOf = ({ count, by_state: { live = 0 } }: { count: number; by_state: { live?: number } }) => live / count;
  const shares = counted.map(shareOf);
  const first = await groups.getByRole('link').first().textContent();
  expect(shareOf(counted.find(({ value }: { value: string }) => value === first))).toBe(Math.min(...shares));
});

test('clusters with nasty names are listed as they are, and no name becomes a script', async () => {
  for (const name of nastyClusters) {
    await tab.page.goto(`${site.server.base}/#/clusters/${encodeURIComponent(name)}`);
    await tab.page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
  }
});

test('the topology of a cluster shows its offline member', async () => {
  await click(link('Clusters'));
  await click(tab.page.getByRole('grid', { name: 'Clusters' }).locator('tbody tr').first().getByRole('link').first());
  const members = tab.page.getByRole('table', { name: 'Services of the cluster' }).locator('tbody tr');
  await members.first().getByText('Offline').first().waitFor();
  await tab.page.getByRole('link', { name: /-db-05-mysql.*Offline/ }).waitFor();
  expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
});

test('the databases without a version are listed', async () => {
  await click(link('Services'));
  await click(button('Group by version'));
  await click(tab.page.getByRole('list', { name: 'Services by Version' }).getByRole('link', { name: '(none)' }));
  await heading(`Services (${WITHOUT_VERSION})`);
  expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
});

test('the last change is shown with its author', async () => {
  await click(link('Audit'));
  const entries = tab.page.locator('main tbody tr');
  await entries.filter({ hasText: 'old-pipeline' }).filter({ hasText: 'admin' }).first().waitFor();
  expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
});

test('the calls of a leaked key are listed', async () => {
  await click(link('API keys'));
  await click(button('Actions on the key old-pipeline'));
  await choose('Show its calls in the audit');
  await heading('Audit');
  expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
});

test('a part of a name is found in all objects, and a list sorts over all its pages', async () => {
  const host = clusters.at(-1)!;
  await search(hostName(host, 1).slice(1).toUpperCase());
  await tab.page
    .locator('#top header [role=option]')
    .filter({ hasText: hostName(host, 1) })
    .first()
    .waitFor();
  // The node, its database and its proxy.
  await tab.page.getByText('Press Enter to list all 3 results.').first().waitFor();
  await tab.page.keyboard.press('Escape');
  await click(link('Nodes'));
  const header = tab.page.locator('[data-focus-id=sorting-control-address]').last();
  for (const [cluster, number] of [
    [clusters[0]!, 1],
    [host, host.hosts],
  ] as const) {
    await header.press('Enter');
    await tab.page.getByRole('row').nth(1).getByText(hostName(cluster, number), { exact: true }).waitFor();
  }
});

/** A task of the browser in which the page answers nothing. */
interface Task {
  name: string;
  pid: number;
  tid: number;
  /** Processor time in microseconds: the duration also contains what other programs of the machine do. */
  tdur?: number;
  args: { name?: string };
}

/** The longest task of the pages while something is done, in milliseconds of processor time. */
async function longestTaskDuring(browser: CDPSession, work: () => Promise<void>): Promise<number> {
  const events: Task[] = [];
  const note = ({ value }: { value: object[] }) => events.push(...(value as Task[]));
  browser.on('Tracing.dataCollected', note);
  const includedCategories = ['devtools.timeline', 'disabled-by-default-devtools.timeline'];
  await browser.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories, excludedCategories: ['*'] },
  });
  await work();
  const { promise: isComplete, resolve } = Promise.withResolvers<undefined>();
  browser.once('Tracing.tracingComplete', () => resolve(undefined));
  await browser.send('Tracing.end');
  await isComplete;
  browser.off('Tracing.dataCollected', note);
  const threadOf = ({ pid, tid }: Task) => `${pid} ${tid}`;
  const isMain = ({ name, args }: Task) => name === 'thread_name' && args.name === 'CrRendererMain';
  const mains = new Set(events.filter(isMain).map(threadOf));
  const tasks = events.filter((event) => event.name === 'RunTask' && mains.has(threadOf(event)));
  expect(tasks.length).toBeGreaterThan(0);
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}

/** In milliseconds: https://web.dev/articles/inp */
const MAX_TASK = 200;

test('no page keeps the browser busy for more than 200 ms at a time, loaded directly or after another one', async () => {
  const browser = await tab.context.browser()!.newBrowserCDPSession();
  const pages = ['overview', 'nodes', 'services', 'agents', 'clusters', `clusters/${WAITING_CLUSTER}`];
  const longest: (readonly [string, number])[] = [];
  for (const hash of [...pages, 'configuration/api-keys', 'configuration/audit', 'removed']) {
    const open = async () => {
      await tab.page.goto(`${site.server.base}/#/${hash}`);
      await tab.page.locator('main h1').waitFor();
      await tab.page.locator('main tbody tr').first().or(tab.page.getByText('Nothing was removed')).first().waitFor();
      await tab.page.waitForLoadState('networkidle');
      await untilIdle(tab);
    };
    longest.push([hash, await longestTaskDuring(browser, open)]);
    const openAnew = async () => {
      await tab.page.reload();
      await open();
    };
    longest.push([`${hash} anew`, await longestTaskDuring(browser, openAnew)]);
  }
  process.stderr.write(`${longest.map(([page, time]) => `${page}: ${Math.round(time)} ms`).join(', ')}\n`);
  expect(longest.filter(([, time]) => time > MAX_TASK)).toEqual([]);
});

describe('with the keyboard alone', () => {
  const key = (name: string) => tab.page.keyboard.press(name);
  const type = (text: string) => tab.page.keyboard.type(text);
  const menuLink = (name: string) =>
    tab.page.getByRole('navigation', { name: 'Side navigation' }).getByRole('link', { name, exact: true });
  const item = (name: string) => tab.page.getByRole('menuitem', { name, exact: true });
  const dialogOf = (name: string | RegExp) => tab.page.getByRole('dialog', { name });
  /** The new page has its heading, and the focus is on it. */
  const arriveAt = async (name: string) => {
    await heading(name);
    await tab.page.locator('main h1:focus').waitFor();
  };
  /** Of a list, which is a grid, or of a table. */
  const firstRow = (name: string) =>
    tab.page.getByRole('grid', { name }).or(tab.page.getByRole('table', { name })).locator('tbody tr').first();
  const openFirstCluster = async () => {
    await press(tab, menuLink('Clusters'));
    await firstRow('Clusters').waitFor();
    await moveInGrid(tab, firstRow('Clusters').getByRole('link').first());
    await key('Enter');
    await firstRow('Services of the cluster').waitFor();
    await expectFocus(tab);
  };

  test.each(['/', 'Control+k'])('a host is found by its address, with %s', async (shortcut) => {
    const host = clusters[3]!;
    await key(shortcut);
    await tab.page.locator('#top header [role=search] input:focus').waitFor();
    await type(addressOf(host, 1));
    const options = tab.page.locator('#top header [role=option]');
    await options
      .filter({ hasText: `Address: ${addressOf(host, 1)}` })
      .first()
      .waitFor();
    await untilIdle(tab);
    // The first option lists all results.
    await key('ArrowDown');
    await key('ArrowDown');
    await options.filter({ hasText: /Nodes \(\d+\)/ }).waitFor();
    await key('Enter');
    await arriveAt(hostName(host, 1));
  });

  test('the failing agents of a region are listed', async () => {
    await press(tab, link(`${WAITING.region} of ${WAITING.all} in ${WAITING_REGION}`));
    await arriveAt(`Agents (${WAITING.region})`);
  });

  test('the topology of a cluster shows its offline member', async () => {
    await openFirstCluster();
    await press(tab, tab.page.getByRole('link', { name: /-db-05-mysql.*Offline/ }));
    await tab.page.getByRole('heading', { name: /-db-05-mysql$/, level: 1 }).waitFor();
    await expectFocus(tab);
  });

  test('the databases without a version are listed', async () => {
    await press(tab, menuLink('Services'));
    await press(tab, button('Group by version'));
    await press(tab, tab.page.getByRole('list', { name: 'Services by Version' }).getByRole('link', { name: '(none)' }));
    await heading(`Services (${WITHOUT_VERSION})`);
    await expectFocus(tab);
  });

  test('the last change is shown with its author', async () => {
    await press(tab, menuLink('Audit'));
    await tab.page.locator('main tbody tr').filter({ hasText: 'old-pipeline' }).first().waitFor();
    await arriveAt('Audit');
  });

  test('a label is added to all nodes of a region, and removed', async () => {
    const length = clusters.reduce((sum, { region, hosts }) => sum + (region === WAITING_REGION ? hosts : 0), 0);
    await press(tab, link(WAITING_REGION));
    await heading(`Nodes (${length})`);
    await moveTo(tab, tab.page.getByRole('checkbox', { name: 'Select all of this page' }).last());
    await key('Space');
    await press(tab, button(`Select all ${length}`), 'Shift+Tab');
    await button(`Select all ${length}`).waitFor({ state: 'detached' });
    await expectFocus(tab);
    await press(tab, button('Set label'));
    const dialog = dialogOf(`Set label: ${length} nodes`);
    await dialog.getByLabel('Label', { exact: true }).and(tab.page.locator(':focus')).waitFor();
    await type('wave');
    await moveTo(tab, dialog.getByLabel('Value', { exact: true }));
    await type('3');
    await key('Enter');
    await tab.page.getByText(`The label was set on ${length} nodes.`).first().waitFor();
    await expectFocus(tab);
    await press(tab, button('Undo: Set label'), 'Shift+Tab');
    await tab.page.getByText(`The former state of ${length} of ${length} nodes was restored.`).first().waitFor();
    await expectFocus(tab);
  });

  test('a dead cluster is removed with its nodes, and restored', async () => {
    await openFirstCluster();
    await chooseByKeys(tab, button('Actions'), item('Remove with its nodes'));
    const dialog = dialogOf(/^Remove: \d+ objects/);
    await dialog.waitFor();
    await key('Escape');
    await dialog.waitFor({ state: 'detached' });
    await button('Actions').and(tab.page.locator(':focus')).waitFor();
    await key('Enter');
    await chooseItem(tab, item('Remove with its nodes'));
    await press(tab, dialog.getByRole('button', { name: 'Remove', exact: true }));
    await button('Undo: Remove').waitFor();
    await expectFocus(tab);
    await press(tab, button('Undo: Remove'), 'Shift+Tab');
    await tab.page
      .getByText(/^\d+ objects restored\.$/)
      .first()
      .waitFor();
    await expectFocus(tab);
  });

  test('the calls of a leaked key are listed', async () => {
    await press(tab, menuLink('API keys'));
    await chooseByKeys(tab, button('Actions on the key old-pipeline'), item('Show its calls in the audit'));
    await arriveAt('Audit');
  });

  test('a list is sorted over all its pages', async () => {
    await key('/');
    await tab.page.locator('#top header [role=search] input:focus').waitFor();
    await type('nothing of this name');
    await key('Escape');
    await expectFocus(tab);
    await press(tab, menuLink('Nodes'));
    await firstRow('Nodes').waitFor();
    await moveInGrid(tab, tab.page.locator('[data-focus-id=sorting-control-address]').last());
    await key('Enter');
    const host = clusters[0]!;
    await tab.page.getByRole('row').nth(1).getByText(hostName(host, 1), { exact: true }).waitFor();
    await expectFocus(tab);
  });
});

// After a removal and its undo the objects have no reports: the tests before find the fleet as it was added.
test('a label is added to all nodes of a region, and removed', async () => {
  const length = clusters.reduce((sum, { region, hosts }) => sum + (region === WAITING_REGION ? hosts : 0), 0);
  await click(link(WAITING_REGION));
  await heading(`Nodes (${length})`);
  await click(button('Set label'));
  const dialog = tab.page.getByRole('dialog', { name: `Set label: ${length} nodes` });
  await dialog.getByText(`All nodes with Region = ${WAITING_REGION} (${length}):`).waitFor();
  await dialog.getByLabel('Label', { exact: true }).fill('wave');
  await dialog.getByLabel('Value', { exact: true }).fill('2');
  await click(dialog.getByRole('button', { name: 'Set label' }));
  await tab.page.getByText(`The label was set on ${length} nodes.`).first().waitFor();
  expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
  await click(button('Undo: Set label'));
  await tab.page.getByText(`The former state of ${length} of ${length} nodes was restored.`).first().waitFor();
});

test('a list with too many objects for an action says so', async () => {
  await click(link('Agents'));
  await tab.page.getByRole('grid', { name: 'Agents' }).locator('tbody tr').first().getByRole('link').first().waitFor();
  await click(button('Set label'));
  await tab.page.getByText('The list has more than 5,000 agents. Add a filter, or select some of them.').waitFor();
  expect(await tab.page.getByRole('dialog').count()).toBe(0);
});

describe('with a dead cluster', () => {
  beforeAll(() => addDeadCluster('retired-mysql'));

  test('a dead cluster is removed with its nodes, and restored', async () => {
    await click(link('Clusters'));
    const row = tab.page.getByRole('grid', { name: 'Clusters' }).locator('tbody tr').first();
    await row.getByRole('link', { name: 'retired-mysql' }).waitFor();
    await click(row.getByRole('button', { name: 'Remove retired-mysql with its nodes' }));
    const dialog = tab.page.getByRole('dialog', { name: 'Remove: 10 objects' });
    await click(dialog.getByRole('button', { name: 'Remove', exact: true }));
    await button('Undo: Remove').waitFor();
    expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
    // From its message with one click. The list of removals needs two.
    await click(button('Undo: Remove'));
    await tab.page
      .getByText(/^\d+ objects restored\.$/)
      .first()
      .waitFor();
  });
});
