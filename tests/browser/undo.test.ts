import { expectAccessible, expectClean, openSite, type Site, type Tab } from './browser.ts';

let site: Site;

beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

/** A node with an agent process, on its page. */
async function atHost(name: string): Promise<{ tab: Tab; id: string }> {
  const { node_id: id } = await site.addNode(name);
  await site.write('POST', '/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: id });
  return { tab: await site.at(`nodes/${id}`), id };
}

async function remove({ page }: Tab): Promise<void> {
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove node' });
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
}

test('the message after a removal has a button that restores the object and its dependent objects', async () => {
  const { tab, id } = await atHost('host-1');
  const { page } = tab;
  await remove(tab);
  await page.getByText('The node host-1 was removed with its dependent objects.').waitFor();
  await page.getByText('No nodes yet').waitFor();
  await expectAccessible(tab);
  const undo = page.getByRole('button', { name: 'Undo the removal of host-1' });
  await undo.focus();
  await page.keyboard.press('Enter');
  await page.getByText('was restored with 1 dependent object.').waitFor();
  await page.getByRole('heading', { name: 'host-1', level: 1 }).waitFor();
  await page.getByRole('table', { name: 'Agents that run on it' }).getByText('pmm_agent').waitFor();
  expect((await site.api('GET', `/v1/nodes/${id}`)).status).toBe(200);
  await undo.waitFor({ state: 'detached' });
  await expectAccessible(tab);
  expectClean(tab);
});

test('a name that was given again in the meantime is said, with the way to the list of removals', async () => {
  const { tab } = await atHost('host-2');
  const { page } = tab;
  await remove(tab);
  await page.getByText('The node host-2 was removed').waitFor();
  await site.addNode('host-2');
  await page.getByRole('button', { name: 'Undo the removal of host-2' }).click();
  await page.getByText('The node could not be restored').waitFor();
  await page.getByText(/host-2.*already exists/).waitFor();
  await expectAccessible(tab);
  await page
    .getByText('The node could not be restored')
    .locator('..')
    .locator('..')
    .getByRole('link', { name: 'Removed' })
    .click();
  await page.getByRole('heading', { name: 'Removed', level: 1 }).waitFor();
  expectClean(tab, [409]);
});

test('a removal that another user has restored is said', async () => {
  const { tab } = await atHost('host-3');
  const { page } = tab;
  await remove(tab);
  await page.getByText('The node host-3 was removed').waitFor();
  const [{ removal_id: removal }] = (await site.api('GET', '/v1/removed')).body.removals;
  await site.write('POST', `/v1/removed/${removal}/restore`);
  await page.getByRole('button', { name: 'Undo the removal of host-3' }).click();
  await page.getByText('it was restored before').waitFor();
  expectClean(tab);
});
