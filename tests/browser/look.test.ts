import { eventually } from '../end-to-end/processes.ts';
import {
  expectAccessible,
  expectClean,
  expectColoursClean,
  expectNoSidewaysScroll,
  expectNoViolations,
  logIn,
  menuLink,
  useSite,
  type Tab,
  untilFocused,
  untilIdle,
} from './browser.ts';

const LONG = `${'a-very-long-name-'.repeat(12)}end`;

const site = useSite();
/** Each page, by its place in the address. */
const pages: Record<string, string> = {};

beforeAll(async () => {
  const add = (path: string, body: object) => site.write('POST', `/v1/${path}`, body);
  const node = await add('nodes', {
    node_type: 'generic',
    node_name: LONG,
    address: '10.0.0.1',
    custom_labels: { team: LONG },
  });
  const process = await add('agents', { agent_type: 'pmm_agent', runs_on_node_id: node.node_id });
  const service = await add('services', {
    service_type: 'mysql',
    service_name: `${LONG}-orders`,
    node_ids: [node.node_id],
    address: '10.0.0.1',
    port: 3306,
    cluster: 'pxc',
  });
  const agent = await add('agents', {
    agent_type: 'mysqld_exporter',
    pmm_agent_id: process.agent_id,
    insights: { service_ids: [service.service_id] },
  });
  const usual = await add('nodes', {
    node_type: 'remote_azure_database',
    node_name: 'usual-database-1.eu-central-1.example.com',
    address: 'usual-database-1.eu-central-1.example.com',
    region: 'eu-central-1',
    az: 'eu-central-1a',
    node_model: 'Standard_D16ds_v5',
  });
  await add('services', {
    service_type: 'postgresql',
    service_name: 'usual-orders-1',
    node_ids: [usual.node_id],
    address: 'fd00:1234:5678:9abc:def0:1234:5678:9abc',
    port: 5432,
    cluster: 'orders_production',
    environment: 'production',
  });
  await add('agents', { agent_type: 'node_exporter', pmm_agent_id: process.agent_id, disabled: true });
  await add('api-keys', { name: LONG.slice(0, 128), role: 'Viewer' });
  Object.assign(pages, {
    overview: '#/overview',
    search: '#/search?text=usual',
    nodes: '#/nodes',
    services: '#/services',
    agents: '#/agents',
    clusters: '#/clusters',
    cluster: '#/clusters/pxc',
    node: `#/nodes/${node.node_id}`,
    service: `#/services/${service.service_id}`,
    agent: `#/agents/${agent.agent_id}`,
    'adding an agent': '#/agents/add?agent_type=mysqld_exporter',
    'changing a service': `#/services/${service.service_id}/change`,
    'adding a node': '#/nodes/add',
    'API keys': '#/configuration/api-keys',
    'enrolment tokens': '#/configuration/enrolment-tokens',
    reconcile: '#/reconcile',
    removed: '#/removed',
    silences: '#/silences',
    audit: '#/configuration/audit',
    'two times': '#/configuration/audit/compare',
    sessions: '#/configuration/sessions',
    users: '#/configuration/users',
    'role bindings': '#/configuration/role-bindings',
    account: '#/account',
    'quick start': '#/quick-start',
    'no page': '#/no/such/page',
    'no node': '#/nodes/gone',
  });
});

async function visitAll(tab: Tab, look: () => Promise<void>): Promise<void> {
  for (const hash of Object.values(pages)) {
    await tab.page.goto(`${site.server.base}/${hash}`);
    await tab.page.locator('main h1').waitFor();
    await untilIdle(tab);
    await look();
  }
}

const background = ({ page }: Tab) => page.evaluate('getComputedStyle(document.body).backgroundColor');

/** Dark is a colour whose brightest part is below a quarter. */
const isDark = (colour: unknown) => Math.max(...(String(colour).match(/\d+/g) ?? ['255']).slice(0, 3).map(Number)) < 64;

test('at 390 px the menu opens and works', async () => {
  const tab = await site.open('/', { viewport: { width: 390, height: 844 } });
  const { page } = tab;
  await logIn(tab);
  await page.getByRole('button', { name: /open.*navigation/i }).click();
  await expectAccessible(tab);
  await menuLink(tab, 'API keys').click();
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Add API key' }).click();
  await page.getByRole('dialog', { name: 'Add API key' }).waitFor();
  await expectNoSidewaysScroll(tab);
  await expectAccessible(tab);
  expectClean(tab);
});

/** The widths of large screens, tablets and phones, and a small screen at twice the size. */
const windows = [
  ['1440 px', { viewport: { width: 1440, height: 900 } }],
  ['768 px', { viewport: { width: 768, height: 1024 } }],
  ['390 px', { viewport: { width: 390, height: 844 } }],
  ['200 % zoom of 1280 px', { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }],
] as const;

test.each(windows)(
  '%s: axe finds nothing on any page, light or dark, and nothing exceeds the window',
  async (_, options) => {
    const tab = await site.open('/', options);
    const look = async () => {
      await expectNoSidewaysScroll(tab);
      for (const colorScheme of ['light', 'dark'] as const) {
        await tab.page.emulateMedia({ colorScheme });
        await eventually(async () => isDark(await background(tab)) === (colorScheme === 'dark'));
        await (colorScheme === 'light' ? expectNoViolations(tab) : expectColoursClean(tab));
      }
    };
    await look();
    await logIn(tab);
    await visitAll(tab, look);
    // The commands of the search, which is open.
    await tab.page.keyboard.press('Control+k');
    const command = tab.page.locator('#top header [role=option]').first();
    await command.waitFor();
    await look();
    expect(await command.isVisible()).toBe(true);
    expectClean(tab, [404]);
  },
);

test('at 200 % zoom of 1440 px the lists show rows, with the menu closed and one action menu', async () => {
  const tab = await site.open('/', { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 });
  const { page } = tab;
  await logIn(tab);
  for (const list of ['Nodes', 'Services']) {
    await page.goto(`${site.server.base}/#/${list.toLowerCase()}?name_prefix=usual`);
    await page.getByRole('heading', { name: list, level: 1 }).waitFor();
    const row = page.locator('main tbody tr').first();
    await row.getByRole('checkbox').waitFor();
    await untilIdle(tab);
    const box = await row.boundingBox();
    // The height of a row with two lines; this host's name needs more.
    expect([list, (box?.y ?? Infinity) + 60 <= 450]).toEqual([list, true]);
    // Also nothing covers it.
    await row.getByRole('checkbox').click({ trial: true });
    expect(await page.getByText('is selected').count()).toBe(0);
    expect(await menuLink(tab, 'API keys').isVisible()).toBe(false);
  }
  await page.goto(`${site.server.base}/#/agents?agent_type=node_exporter`);
  await page.getByRole('checkbox', { name: /^Select node_exporter/ }).waitFor();
  await page.getByRole('button', { name: 'Actions' }).click();
  const items = [
    'Set label',
    'Remove label',
    'Disable',
    'Enable',
    'Remove',
    'Silence',
    'Download CSV',
    'Download JSON',
    'Show as curl',
  ];
  await page
    .getByRole('menuitem')
    .nth(items.length - 1)
    .waitFor();
  expect(await page.getByRole('menuitem').allTextContents()).toEqual(items);
  await page.getByRole('menuitem', { name: 'Show as curl' }).click();
  await page.getByRole('dialog', { name: 'Show as curl' }).getByText('/v1/agents').waitFor();
  await expectAccessible(tab);
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click();
  await page.locator('main tbody tr').first().getByRole('checkbox').check();
  await page.getByRole('toolbar').getByRole('button', { name: 'Open the details' }).waitFor();
  expectClean(tab);
});

test('light or dark can be chosen, is remembered, and can follow the system again', async () => {
  const tab = await site.open('/', { colorScheme: 'dark' });
  const { page } = tab;
  await logIn(tab);
  const choose = async (text: string) => {
    await page.getByRole('button', { name: 'Preferences' }).click();
    await page.getByRole('menuitemcheckbox', { name: text }).click();
  };
  const untilDark = (dark: boolean) => eventually(async () => isDark(await background(tab)) === dark);
  await choose('Light');
  await untilDark(false);
  await page.reload();
  await page.locator('main h1').waitFor();
  expect(isDark(await background(tab))).toBe(false);
  await choose('System default');
  await untilDark(true);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.locator('body:not(.awsui-dark-mode)').waitFor();
  await untilDark(false);
  expectClean(tab);
});

test('a message that ends with its page does not move the next one under the pointer', async () => {
  const tab = await site.open(`/${pages['changing a service']}`);
  const { page } = tab;
  await logIn(tab);
  await page.getByLabel(/^Environment/).fill('prod');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText(/^The service .* was changed\.$/).waitFor();
  await page.evaluate(`(() => {
    window.places = [];
    const note = () => {
      const heading = document.querySelector('main h1');
      if (heading?.textContent.startsWith('Change')) window.places.push(heading.getBoundingClientRect().top);
      requestAnimationFrame(note);
    };
    note();
  })()`);
  await page.getByRole('link', { name: 'Change', exact: true }).click();
  await page.getByRole('heading', { name: /^Change/, level: 1 }).waitFor();
  await page.getByText('was changed.').waitFor({ state: 'detached' });
  await untilIdle(tab);
  // Longer than anything on a page fades: half a second, in drawings of the page.
  const drawings = async (): Promise<number> => page.evaluate('window.places.length');
  const former = await drawings();
  await eventually(async () => (await drawings()) >= former + 30);
  // Half a button. Cloudscape takes its 8 px of space around messages back one frame after them.
  expect(await page.evaluate('Math.max(...window.places) - Math.min(...window.places)')).toBeLessThan(16);
  expectClean(tab);
});

test('everything is reachable by keyboard, and a new page is announced by its heading', async () => {
  const tab = await site.open();
  const { page } = tab;
  await logIn(tab);
  await page.keyboard.press('Tab');
  await untilFocused(tab, ':text-is("Skip to the content")');
  await page.keyboard.press('Enter');
  await untilFocused(tab, 'h1');
  await menuLink(tab, 'Services').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Services', level: 1 }).waitFor();
  await eventually(async () => (await page.title()) === 'Services - Monitoring inventory');
  await untilFocused(tab, 'h1:has-text("Services")');
  expectClean(tab);
});

/** Words of names, addresses and states in tables that are drawn on more than one line; the labels of a host name are words. */
const brokenWords = ({ page }: Tab): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('main td')].flatMap((cell) => {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const broken = [];
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
      for (const { 0: word, index } of text.data.matchAll(/(?:[^\\s.-]|\\.(?![a-z]))+[.-]?/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (tops.size > 1) broken.push(word);
      }
    return broken;
  })`);

/** The columns of the table that are not in view from end to end. */
const cutColumns = ({ page }: Tab): Promise<string[]> =>
  page.evaluate(`(() => {
    const { left, right } = document.querySelector('main table').parentElement.getBoundingClientRect();
    return [...document.querySelectorAll('main table th')]
      .filter((head) => head.getBoundingClientRect().left < left - 1 || head.getBoundingClientRect().right > right + 1)
      .map(({ textContent }) => textContent);
  })()`);

test('at 1440 px no list column is cut, alone or beside menu, help and panel', async () => {
  const tab = await site.open('/', { viewport: { width: 1440, height: 900 } });
  const { page } = tab;
  const node = await site.addNode('dub-ads-db-09.prod.dub', {
    ...{ address: 'dub-ads-db-09.prod.dub.infra.example.net', region: 'ap-southeast-2', az: 'ap-southeast-2a' },
  });
  await site.write('POST', '/v1/services', {
    ...{ service_type: 'mysql', service_name: 'dub-ads-mysql-9', node_ids: [node.node_id], port: 3306 },
    ...{ address: 'dub-ads-db-09.prod.dub.infra.example.net', cluster: 'ads-mysql-dub', environment: 'production' },
  });
  await logIn(tab);
  const look = async (beside: string) => {
    for (const [list, name] of [
      ['Nodes', 'dub-ads-db-09.prod.dub'],
      ['Services', 'dub-ads-mysql-9'],
    ] as const) {
      await page.goto(`${site.server.base}/#/${list.toLowerCase()}?name_prefix=dub`);
      await page.getByRole('heading', { name: list, level: 1 }).waitFor();
      const select = page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
      await select.waitFor();
      if (beside === 'panel') {
        await select.check();
        await page.getByRole('region', { name, exact: true }).waitFor();
      }
      await untilIdle(tab);
      expect([list, beside, await cutColumns(tab)]).toEqual([list, beside, []]);
    }
  };
  await look('menu');
  const cluster = page.getByRole('link', { name: 'ads-mysql-dub' });
  expect(await cluster.evaluate((link: any) => link.getClientRects().length)).toBe(1);
  const help = page.getByRole('toolbar').getByRole('button', { name: /help/i });
  await help.click();
  await page.getByRole('heading', { name: 'Services', level: 2 }).waitFor();
  await look('help');
  await help.click();
  await page.getByRole('heading', { name: 'Services', level: 2 }).waitFor({ state: 'detached' });
  await page.getByRole('toolbar').getByRole('button', { name: 'Open the details' }).click();
  await look('panel');
  await page.getByRole('region', { name: 'dub-ads-mysql-9' }).getByText('dub-ads-db-09.prod.dub.infra').waitFor();
  expectClean(tab);
});

test('no name, address or state in a list breaks inside a word, at any width', async () => {
  const tab = await site.at('nodes', { viewport: { width: 1440, height: 900 } });
  const { page } = tab;
  // Where names are of usual length: those of the other tests are longer than any column.
  for (const [hash, name] of [
    ['nodes?name_prefix=usual', 'usual-database-1'],
    ['services?name_prefix=usual', 'usual-orders-1'],
    ['agents?agent_type=node_exporter', 'node_exporter'],
  ] as const)
    for (const [width, height] of [
      [1440, 900],
      [720, 900],
      [640, 400],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.goto(`${site.server.base}/#/${hash}`);
      await page.getByRole('link', { name }).first().waitFor();
      await untilIdle(tab);
      expect([hash, width, await brokenWords(tab)]).toEqual([hash, width, []]);
    }
  expectClean(tab);
});
