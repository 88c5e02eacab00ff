import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Locator } from 'playwright-core';
import {
  expectAccessible,
  expectClean,
  expectNoSidewaysScroll,
  useSite,
  type Tab,
  untilFact,
  untilIdle,
} from './browser.ts';

const run = promisify(execFile);

const site = useSite();
let key = '';

beforeAll(async () => {
  ({ key } = await site.write('POST', '/v1/api-keys', { name: 'shell', role: 'Admin' }));
  await site.addNode("it's 1");
});

/** Runs a command as it is shown, in a shell whose variable contains the key. */
async function runInShell(command: string): Promise<{ status: number; body: any }> {
  const script = `${command} --silent --show-error --write-out '\\n%{http_code}'`;
  const { stdout } = await run('/bin/sh', ['-c', script], { env: { ...process.env, API_KEY: key } });
  const [, text = '', status = ''] = /^([\s\S]*)\n(\d{3})$/.exec(stdout) ?? [];
  return { status: Number(status), body: text === '' ? undefined : JSON.parse(text) };
}

const commandIn = async (place: Locator): Promise<string> => {
  await place.locator('code').first().waitFor();
  return (await place.locator('code').first().textContent()) ?? '';
};

/** Goes to a page, and waits until it is complete. */
async function go(tab: Tab, hash: string): Promise<void> {
  await tab.page.goto(`${site.server.base}/#/${hash}`);
  await untilIdle(tab);
  await tab.page.locator('main h1').waitFor();
}

/** The command of the list of the page, with the dialog closed again. */
async function commandOfList({ page }: Tab): Promise<string> {
  await page
    .getByRole('button', { name: /^Show as curl: / })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Show as curl' });
  const command = await commandIn(dialog);
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  return command;
}

test('the curl line of a list with filters works unchanged, and contains no key', async () => {
  const tab = await site.at(`nodes?name_prefix=${encodeURIComponent("it's")}`);
  const { page } = tab;
  await page.getByRole('link', { name: "it's 1" }).waitFor();
  await page.getByRole('button', { name: 'Show as curl: Nodes' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Show as curl' });
  const command = await commandIn(dialog);
  expect(command).toContain('$API_KEY');
  expect(command).not.toContain('minv_');
  await expectAccessible(tab);
  await dialog.getByRole('button', { name: 'Copy: curl command' }).click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(command);
  const { status, body } = await runInShell(command);
  expect(status).toBe(200);
  expect(body.nodes.map(({ node_name: name, state }: any) => [name, state])).toEqual([["it's 1", 'never_seen']]);
  expectClean(tab);
});

test('the curl lines of other lists work', async () => {
  const tab = await site.at('services');
  for (const [hash, field] of [
    ['services', 'services'],
    ['agents?agent_type=pmm_agent', 'agents'],
    ['clusters', 'clusters'],
    ['removed', 'removals'],
    ['silences', 'silences'],
    ['configuration/api-keys', 'api_keys'],
    ['configuration/enrolment-tokens', 'enrolment_tokens'],
    ['configuration/sessions', 'sessions'],
    ['configuration/audit?event=api_key.added&last=1-day', 'entries'],
  ] as const) {
    await go(tab, hash);
    const { status, body } = await runInShell(await commandOfList(tab));
    expect([hash, status, Object.keys(body)]).toEqual([hash, 200, expect.arrayContaining([field])]);
  }
  expectClean(tab);
});

test("the curl lines of an object's history, a cluster's lists, and the overview work", async () => {
  const { node_id: node } = await site.addNode('host-of-lists');
  const service = { service_type: 'mysql', service_name: 'orders', node_ids: [node], cluster: 'pxc' };
  await site.write('POST', '/v1/services', { ...service, address: '10.0.0.1', port: 3306 });
  const tab = await site.at('overview');
  const { page } = tab;
  for (const [hash, count] of [
    ['overview', 1],
    [`nodes/${node}`, 1],
    ['clusters/pxc', 2],
  ] as const) {
    await go(tab, hash);
    const buttons = page.getByRole('button', { name: /^Show as curl: / });
    await buttons.nth(count - 1).waitFor();
    await untilIdle(tab);
    expect(await buttons.count()).toBe(count);
    for (let index = 0; index < count; index += 1) {
      const name = (await buttons.nth(index).getAttribute('aria-label')) ?? '';
      await buttons.nth(index).press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Show as curl' });
      const { status } = await runInShell(await commandIn(dialog));
      expect([name, status]).toEqual([name, 200]);
      await dialog.getByRole('button', { name: 'Close', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    }
  }
  expectClean(tab);
});

test('a form shows its request while it is filled in: an added node with a quote in its name', async () => {
  const tab = await site.at('nodes/add', { viewport: { width: 390, height: 844 } });
  const { page } = tab;
  await page.getByLabel('Name', { exact: true }).fill(`"it's" $HOME`);
  await page.getByLabel('Address', { exact: true }).fill('10.0.0.9');
  await page.getByRole('button', { name: 'Show as curl' }).click();
  await expectAccessible(tab);
  await expectNoSidewaysScroll(tab);
  const { status, body } = await runInShell(await commandIn(page.locator('main')));
  expect([status, body.node_name, body.address]).toEqual([201, `"it's" $HOME`, '10.0.0.9']);
  expectClean(tab);
});

test('a changed field is a patch of the shown revision, and a removal has its force', async () => {
  const { node_id: id } = await site.addNode('changed-1');
  await site.write('POST', '/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: id });
  const tab = await site.at(`nodes/${id}/change`);
  const { page } = tab;
  await page.getByLabel('Address', { exact: true }).fill('10.0.0.8');
  await page.getByRole('button', { name: 'Show as curl' }).click();
  const command = await commandIn(page.locator('main'));
  expect(command).toContain(`If-Match: "1"`);
  expect(await runInShell(command)).toMatchObject({ status: 200, body: { address: '10.0.0.8', revision: 2 } });
  expect((await runInShell(command)).status).toBe(412);

  await page.goto(`${site.server.base}/#/nodes/${id}`);
  await page.getByRole('button', { name: 'Leave', exact: true }).click();
  await untilFact(tab, '10.0.0.8');
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove node' });
  await dialog.getByRole('button', { name: 'Show as curl' }).click();
  await expectAccessible(tab);
  expect((await runInShell(await commandIn(dialog))).status).toBe(204);
  expect((await site.api('GET', `/v1/nodes/${id}`)).status).toBe(404);
  expectClean(tab);
});

test('the dialog of a new key and a reconciliation plan have curl lines', async () => {
  const tab = await site.at('configuration/api-keys');
  const { page } = tab;
  await page.getByRole('button', { name: 'Add API key' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add API key' });
  await dialog.getByLabel('Key name').fill('by shell');
  await dialog.getByRole('button', { name: 'Show as curl' }).click();
  await expectAccessible(tab);
  const { status, body } = await runInShell(await commandIn(dialog));
  expect([status, body.name]).toEqual([201, 'by shell']);
  expect(Math.round((Date.parse(body.expires_at) - Date.now()) / 86_400_000)).toBe(90);

  await page.goto(`${site.server.base}/#/reconcile`);
  await page.getByRole('heading', { name: 'Reconcile', level: 1 }).waitFor();
  await page.getByLabel('Name prefix').or(page.getByLabel(/^Name/)).first().fill('none-');
  await page.getByLabel(/^Desired/).fill('{"nodes": []}');
  await page.getByRole('button', { name: 'Show as curl' }).click();
  const planned = await runInShell(await commandIn(page.locator('main')));
  expect(planned).toMatchObject({ status: 200, body: { add: 0, remove: 0 } });
  expectClean(tab);
});
