import {
  expectAccessible,
  expectClean,
  logInWithKey,
  openSite,
  type Site,
  type Tab,
  untilFact,
  untilIdle,
} from './browser.ts';

let site: Site;
let nodeId = '';

beforeAll(async () => {
  site = await openSite();
  const node = { node_type: 'generic', node_name: 'db-1', address: '10.0.0.1', custom_labels: { team: 'a' } };
  nodeId = (await site.api('POST', '/v1/nodes', node)).body.node_id;
});
afterAll(() => site.close());

async function openAs(role: string): Promise<Tab> {
  const { key } = (await site.api('POST', '/v1/api-keys', { name: role, role })).body;
  const tab = await site.open('/#/nodes');
  await logInWithKey(tab, key);
  return tab;
}

/** Goes to a page, and waits until it is complete. */
const go = async (tab: Tab, hash: string) => {
  await tab.page.goto(`${site.server.base}/${hash}`);
  await untilIdle(tab);
};

test('a Viewer sees everything, is offered nothing to change, and reads which role it takes', async () => {
  const tab = await openAs('Viewer');
  const { page } = tab;
  await page.getByRole('link', { name: 'db-1' }).waitFor();
  await page.getByText('To add, change or remove objects, you need the role Editor.').waitFor();
  await untilIdle(tab);
  expect(await page.getByText('Add node').count()).toBe(0);
  for (const name of ['Set label', 'Actions']) expect(await page.getByRole('button', { name }).count()).toBe(0);
  await expectAccessible(tab);

  await page.getByRole('link', { name: 'db-1' }).click();
  await page.getByText('To change or remove it, you need the role Editor.').waitFor();
  await page.getByRole('table', { name: 'Agents that run on it' }).waitFor();
  await untilIdle(tab);
  for (const name of [/^Change/, /^Remove\b/, /^Add/]) {
    expect(await page.getByRole('button', { name }).count()).toBe(0);
    expect(await page.getByRole('link', { name }).count()).toBe(0);
  }
  await expectAccessible(tab);

  for (const hash of ['#/nodes/add', `#/nodes/${nodeId}/change`, '#/agents/add']) {
    await go(tab, hash);
    await page.getByText('This requires the role Editor').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
  }
  await go(tab, '#/configuration/api-keys');
  await page.getByText('This requires the role Admin').waitFor();
  await page.getByText('Viewer has the role Viewer.').waitFor();
  await expectAccessible(tab);
  expectClean(tab);
});

test('an Editor changes the inventory, and reads that API keys take an Admin', async () => {
  const tab = await openAs('Editor');
  const { page } = tab;
  await page.getByRole('link', { name: 'Add node' }).waitFor();
  for (const name of ['Set label', 'Actions']) await page.getByRole('button', { name }).waitFor();
  await go(tab, `#/nodes/${nodeId}/change`);
  await page.getByLabel('Address', { exact: true }).fill('10.0.0.2');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('The node db-1 was changed.').waitFor();
  await untilFact(tab, '10.0.0.2');
  await go(tab, '#/configuration/api-keys');
  await page.getByText('This requires the role Admin').waitFor();
  expectClean(tab);
});

test('a warning precedes the removal of the key in use, and a log-out follows it', async () => {
  const tab = await openAs('Admin');
  const { page } = tab;
  await go(tab, '#/configuration/api-keys');
  await page.getByRole('button', { name: 'Actions on the key Admin' }).click();
  await page.getByRole('menuitem', { name: 'Remove', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('will be logged out').waitFor();
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('The API key that you logged in with was removed.').waitFor();
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  expectClean(tab);
});
