import type { Page } from 'playwright-core';
import { expectAccessible, expectClean, expectNoSidewaysScroll, logInWithKey, openSite, type Site } from './browser.ts';

let site: Site;

beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

/** A node with an agent process and an exporter, removed at once. */
async function removeHost(name: string): Promise<string> {
  const { node_id: id } = await site.addNode(name);
  const { agent_id: processId } = await site.write('POST', '/v1/agents', {
    agent_type: 'pmm_agent',
    runs_on_node_id: id,
  });
  await site.write('POST', '/v1/agents', { agent_type: 'node_exporter', pmm_agent_id: processId });
  await site.write('DELETE', `/v1/nodes/${id}?force=true`);
  return id;
}

async function removeNode(name: string): Promise<string> {
  const { node_id: id } = await site.addNode(name);
  await site.write('DELETE', `/v1/nodes/${id}`);
  return id;
}

const row = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Removed' }).locator('tbody tr').filter({ hasText: name });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Restore' });

async function ask(page: Page, name: string): Promise<void> {
  await row(page, name)
    .getByRole('button', { name: `Restore node ${name}` })
    .click();
  await dialog(page).waitFor();
}

const confirm = (page: Page) => dialog(page).getByRole('button', { name: 'Restore', exact: true }).click();

test('nothing removed yet', async () => {
  const tab = await site.at('removed');
  await tab.page.getByText('No removals to restore').waitFor();
  await expectAccessible(tab);
  expectClean(tab);
});

test('a removal has its caller and its objects; all are restored after a confirmation', async () => {
  const id = await removeHost('host-1');
  const tab = await site.at('removed');
  const { page } = tab;
  const host = row(page, 'host-1');
  expect(await host.textContent()).toMatch(/node host-1.*and 2 dependent objects.*admin.*User/);
  await host.getByRole('button', { name: 'and 2 dependent objects: node host-1' }).click();
  await host.getByText(/^node_exporter /).waitFor();
  await expectAccessible(tab);

  await ask(page, 'host-1');
  await dialog(page).getByText('Restore these 3 objects?').waitFor();
  await dialog(page)
    .getByText(/^pmm_agent /)
    .waitFor();
  await expectAccessible(tab);
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  expect((await site.api('GET', `/v1/nodes/${id}`)).status).toBe(404);
  await ask(page, 'host-1');
  await confirm(page);
  await page.getByText('3 objects were restored:').waitFor();
  await page.getByText('No removals to restore').waitFor();
  await expectAccessible(tab);
  await page.getByRole('link', { name: 'host-1' }).click();
  await page.getByRole('heading', { name: 'host-1', level: 1 }).waitFor();
  await page.getByRole('table', { name: 'Agents that run on it' }).getByText('node_exporter').waitFor();
  expect(new URL(page.url()).hash).toBe(`#/nodes/${id}`);
  // In its history and in the audit it came back, and was not added anew.
  await page
    .getByRole('table', { name: 'History' })
    .getByRole('row', { name: /Restored/ })
    .waitFor();
  await page.goto(`${site.server.base}/#/configuration/audit?object_id=${id}`);
  await page.getByRole('row', { name: /Node restored/ }).waitFor();
  expectClean(tab);
});

test('a taken name has a message, and no object is restored', async () => {
  const id = await removeNode('taken-1');
  const { node_id: otherId } = await site.addNode('taken-1');
  const tab = await site.at('removed');
  const { page } = tab;
  await ask(page, 'taken-1');
  await confirm(page);
  await dialog(page).getByText('A name is taken').waitFor();
  await dialog(page)
    .getByText(/taken-1.*already exists/)
    .waitFor();
  await expectAccessible(tab);
  expect((await site.api('GET', `/v1/nodes/${id}`)).status).toBe(404);
  // Once the name is free it goes.
  await site.write('DELETE', `/v1/nodes/${otherId}`);
  await dialog(page).getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Restored: ').waitFor();
  expect((await site.api('GET', `/v1/nodes/${id}`)).status).toBe(200);
  expectClean(tab, [409]);
});

test('a restoration by another user has a message, and the list is loaded again', async () => {
  await removeNode('other-1');
  const { body } = await site.api('GET', '/v1/removed');
  const tab = await site.at('removed');
  const { page } = tab;
  await ask(page, 'other-1');
  await site.write('POST', `/v1/removed/${body.removals[0].removal_id}/restore`);
  await confirm(page);
  await dialog(page).getByText('The removal was already restored, or has expired').waitFor();
  await dialog(page).getByRole('button', { name: 'Reload the list' }).click();
  await row(page, 'other-1').waitFor({ state: 'detached' });
  expectClean(tab, [404]);
});

test('a restoration that succeeds in part names each object that failed, and can be tried again', async () => {
  await removeHost('part-1');
  const [{ objects }] = (await site.api('GET', '/v1/removed')).body.removals;
  const isNode = ({ kind }: { kind: string }) => kind === 'node';
  const tab = await site.at('removed');
  const { page } = tab;
  await page.route('**/restore', (route) =>
    route.fulfill({
      json: {
        restored: objects.filter((one: any) => !isNode(one)),
        not_restored: objects
          .filter(isNode)
          .map((one: any) => ({ ...one, status: 'ALREADY_EXISTS', message: 'Somebody has that name.' })),
      },
    }),
  );
  await ask(page, 'part-1');
  await confirm(page);
  await dialog(page).getByText('2 restored, 1 not').waitFor();
  await dialog(page).getByText('Somebody has that name.').waitFor();
  await expectAccessible(tab);
  await page.unrouteAll();
  await dialog(page).getByRole('button', { name: 'Try again' }).click();
  await page.getByText('objects were restored:').waitFor();
  expectClean(tab);
});

test('a request is one row: the 24 objects of a bulk removal are restored with two clicks', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `bulk-${index + 1}`);
  const adds = names.flatMap((name) => [
    { op: 'addNode', ref: name, body: { node_type: 'generic', node_name: name, address: '10.0.0.1' } },
    { op: 'addAgent', body: { agent_type: 'pmm_agent', runs_on_node_id: `$${name}` } },
  ]);
  const added = await site.write('POST', '/v1/batch', { operations: adds });
  const ids = added.results.map(({ id }: { id: string }) => id);
  const operations = ids
    .filter((_: string, index: number) => index % 2 === 0)
    .map((id: string) => ({ op: 'removeNode', id, force: true }));
  await site.write('POST', '/v1/batch', { operations });

  const tab = await site.at('removed');
  const { page } = tab;
  const request = row(page, 'bulk-');
  expect(await request.textContent()).toContain('and 23 more');
  await request.getByRole('button', { name: /^Restore all 24/ }).click();
  await dialog(page).getByText('Restore these 24 objects?').waitFor();
  await expectAccessible(tab);
  await confirm(page);
  await page.getByText('24 objects were restored:').waitFor();
  for (const name of names)
    expect((await site.api('GET', `/v1/nodes?name_prefix=${name}&page_size=1`)).body.nodes).toHaveLength(1);
  expectClean(tab);
});

test('several requests are selected and restored; one that is refused is named, and the others are restored', async () => {
  const ids = [];
  for (const name of ['several-1', 'several-2', 'several-3']) ids.push(await removeNode(name));
  const { node_id: taken } = await site.addNode('several-2');
  const tab = await site.at('removed');
  const { page } = tab;
  await page.getByRole('button', { name: 'Restore selected' }).and(page.locator(':disabled')).waitFor();
  for (const name of ['several-1', 'several-2', 'several-3'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await expectAccessible(tab);
  await page.getByRole('button', { name: 'Restore 3 objects' }).click();
  await confirm(page);
  await dialog(page).getByText('2 restored, 1 not').waitFor();
  await dialog(page)
    .getByText(/several-2.*already exists/)
    .waitFor();
  const statusOf = async (id: string) => (await site.api('GET', `/v1/nodes/${id}`)).status;
  expect(await Promise.all(ids.map(statusOf))).toEqual([200, 404, 200]);
  await site.write('DELETE', `/v1/nodes/${taken}`);
  await dialog(page).getByRole('button', { name: 'Try again' }).click();
  await page.getByText('3 objects were restored:').waitFor();
  expect(await Promise.all(ids.map(statusOf))).toEqual([200, 200, 200]);
  expectClean(tab, [409]);
});

test('page by page; a list that cannot be loaded can be tried again', async () => {
  for (let count = 1; count <= 101; count += 1) await removeNode(`many-${count}`);
  const tab = await site.at('removed');
  const { page } = tab;
  await page.getByText('(100+)', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Show older' }).click();
  await row(page, 'many-1').first().waitFor();
  await page.getByText('No more removals can be restored.').waitFor();
  const json = { message: 'It broke.', details: [], request_id: 'r-1' };
  await page.route('**/v1/removed?*', (route) => route.fulfill({ status: 500, json }));
  await page.getByRole('button', { name: 'Reload the removals' }).click();
  await page.getByText('The removals could not be loaded').waitFor();
  await expectAccessible(tab);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await row(page, 'many-101').waitFor();
  await page.getByText('(100+)', { exact: true }).waitFor();
  expectClean(tab, [500]);
});

test('the page of what is gone leads there; a Viewer sees it, and reads which role a restoration takes', async () => {
  const id = await removeNode('gone-1');
  const { key } = await site.write('POST', '/v1/api-keys', { name: 'watcher', role: 'Viewer' });
  const tab = await site.open(`/#/nodes/${id}`);
  await logInWithKey(tab, key);
  const { page } = tab;
  await page.getByRole('link', { name: 'Removed objects' }).click();
  await page.getByText('To restore objects, you need the role Editor.').waitFor();
  await row(page, 'gone-1').waitFor();
  expect(await page.getByRole('button', { name: /^Restore/ }).count()).toBe(0);
  await expectAccessible(tab);
  expectClean(tab, [404]);
});

test('at 390 px and in the dark', async () => {
  await removeNode(`${'a-very-long-name-'.repeat(12)}end`);
  const tab = await site.at('removed', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  await row(tab.page, 'a-very-long-name').waitFor();
  await expectNoSidewaysScroll(tab);
  await expectAccessible(tab);
  await ask(tab.page, `${'a-very-long-name-'.repeat(12)}end`);
  await expectNoSidewaysScroll(tab);
  await expectAccessible(tab);
  expectClean(tab);
});
