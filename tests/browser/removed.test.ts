import type { Page } from 'playwright-core';
import { expectAccessible, expectClean, expectNoSidewaysScroll, useSite } from './browser.ts';

const site = useSite();

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

test('a removal has its caller and objects, and all are restored after a confirmation once their names are free', async () => {
  const tab = await site.at('removed');
  const { page } = tab;
  await page.getByText('No removals to restore').waitFor();
  await expectAccessible(tab);
  const id = await removeHost('host-1');
  const { node_id: otherId } = await site.addNode('host-1');
  await page.getByRole('button', { name: 'Reload the removals' }).click();
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
  await dialog(page).getByText('A name is taken').waitFor();
  await expectAccessible(tab);
  await site.write('DELETE', `/v1/nodes/${otherId}`);
  await dialog(page).getByRole('button', { name: 'Try again' }).click();
  await page.getByText('3 objects were restored:').waitFor();
  await row(page, 'pmm_agent').waitFor({ state: 'detached' });
  await expectAccessible(tab);
  await page.getByRole('link', { name: 'host-1', exact: true }).click();
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
  expectClean(tab, [409]);
});

test('the page works at 390 px and in the dark', async () => {
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
