/** The tasks of an operator on a large fleet of 14,000 objects, each from the overview. Says how long each takes, which is no assertion. */
import type { CDPSession, Locator } from 'playwright-core';
import { expectClean, openSite, type Site, type Tab } from './browser.ts';
import {
  addLargeFleet,
  addressOf,
  clusters,
  hostName,
  WAITING,
  WAITING_CLUSTER,
  WAITING_REGION,
  WITHOUT_VERSION,
} from './large-fleet.ts';

/** To find something out; an action has a dialog as well. */
const CLICKS_TO_FIND = 3;

let site: Site;
let tab: Tab;
let clicks: number;
let begin: number;

beforeAll(async () => {
  site = await openSite();
  await addLargeFleet(site);
  await site.write('POST', '/v1/api-keys', { name: 'old-pipeline', role: 'Editor' });
});
afterAll(() => site.close());

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

async function click(place: Locator): Promise<void> {
  await place.click();
  clicks += 1;
}

const link = (name: string | RegExp) => tab.page.getByRole('link', { name, exact: true }).first();
const button = (name: string | RegExp) => tab.page.getByRole('button', { name, exact: true });
const heading = (name: string) => tab.page.getByRole('heading', { name, level: 1 }).waitFor();
const choose = async (item: string) => click(tab.page.getByRole('menuitem', { name: item, exact: true }));

test('the overview says that agents wait, and in which region and cluster', async () => {
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

test('a host by its address', async () => {
  const host = clusters[3]!;
  await search(addressOf(host, 1));
  // Nine others begin with this address.
  const found = tab.page.locator('#top header [role=option]').filter({ hasText: `Address: ${addressOf(host, 1)}` });
  await click(found.first());
  await heading(hostName(host, 1));
  expect(clicks).toBe(1);
});

test('the failing agents of one region', async () => {
  await click(link(`${WAITING.region} of ${WAITING.all} in ${WAITING_REGION}`));
  await heading(`Agents (${WAITING.region})`);
  expect(clicks).toBe(1);
});

test('the topology of a cluster, with its offline member', async () => {
  await click(link('Clusters'));
  await click(tab.page.getByRole('table', { name: 'Clusters' }).locator('tbody tr').first().getByRole('link').first());
  const members = tab.page.getByRole('table', { name: 'Services of the cluster' }).locator('tbody tr');
  await members.first().getByText('Offline').first().waitFor();
  await tab.page.getByRole('link', { name: /-db-05-mysql.*Offline/ }).waitFor();
  expect(clicks).toBeLessThanOrEqual(CLICKS_TO_FIND);
});

test('the databases without a version', async () => {
  await click(link('Services'));
  await click(button('Group by version'));
  await click(tab.page.getByRole('list', { name: 'Services by Version' }).getByRole('link', { name: '(none)' }));
  await heading(`Services (${WITHOUT_VERSION})`);
  expect(clicks).toBeLessThanOrEqual(CLICKS_TO_FIND);
});

test('the last change, and its author', async () => {
  await click(link('Audit'));
  const entries = tab.page.locator('main tbody tr');
  await entries.filter({ hasText: 'old-pipeline' }).filter({ hasText: 'admin' }).first().waitFor();
  expect(clicks).toBeLessThanOrEqual(CLICKS_TO_FIND);
});

test('a label on all nodes of a region, and back', async () => {
  const length = clusters.reduce((sum, { region, hosts }) => sum + (region === WAITING_REGION ? hosts : 0), 0);
  await click(link(WAITING_REGION));
  await heading(`Nodes (${length})`);
  await click(tab.page.getByRole('checkbox', { name: 'Select all of this page' }).last());
  await click(button(`Select all ${length}`));
  await click(button('Actions'));
  await choose('Set label');
  const dialog = tab.page.getByRole('dialog', { name: `Set label: ${length} nodes` });
  await dialog.getByLabel('Label', { exact: true }).fill('wave');
  await dialog.getByLabel('Value', { exact: true }).fill('2');
  await click(dialog.getByRole('button', { name: 'Set label' }));
  await tab.page.getByText(`The label was set on ${length} nodes.`).first().waitFor();
  expect(clicks).toBe(6);
  await click(button('Undo: Set label'));
  await tab.page.getByText(`The former state of ${length} of ${length} nodes was restored.`).first().waitFor();
});

test('a dead cluster is removed with its nodes, and restored', async () => {
  await click(link('Clusters'));
  await click(tab.page.getByRole('table', { name: 'Clusters' }).locator('tbody tr').first().getByRole('link').first());
  await tab.page.getByRole('table', { name: 'Services of the cluster' }).waitFor();
  await click(button('Actions'));
  await choose('Remove with its nodes');
  const dialog = tab.page.getByRole('dialog', { name: /^Remove: \d+ objects/ });
  await click(dialog.getByRole('button', { name: 'Remove', exact: true }));
  await button('Undo: Remove').waitFor();
  expect(clicks).toBe(5);
  // From its message with one click. The list of removals needs two.
  await click(button('Undo: Remove'));
  await tab.page
    .getByText(/^\d+ objects restored\.$/)
    .first()
    .waitFor();
});

test('the calls of a leaked key', async () => {
  await click(link('API keys'));
  await click(button('Actions on the key old-pipeline'));
  await choose('Show its calls in the audit');
  await heading('Audit');
  expect(clicks).toBeLessThanOrEqual(CLICKS_TO_FIND);
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

test('no page keeps the browser busy for more than 200 ms at a time, neither loaded anew nor after another one', async () => {
  const browser = await tab.context.browser()!.newBrowserCDPSession();
  const pages = ['overview', 'nodes', 'services', 'agents', 'clusters', `clusters/${WAITING_CLUSTER}`];
  const longest: (readonly [string, number])[] = [];
  for (const hash of [...pages, 'configuration/api-keys', 'configuration/audit', 'removed']) {
    const open = async () => {
      await tab.page.goto(`${site.server.base}/#/${hash}`);
      await tab.page.locator('main h1').waitFor();
      await tab.page.locator('main tbody tr').first().or(tab.page.getByText('Nothing was removed')).first().waitFor();
      await tab.page.waitForLoadState('networkidle');
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
