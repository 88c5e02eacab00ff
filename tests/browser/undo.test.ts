import { expectAccessible, expectClean, useSite, type Tab } from './browser.ts';

const site = useSite();

async function remove({ page }: Tab): Promise<void> {
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove node' });
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
}

test('the message after a removal has a button that restores the object and its dependants', async () => {
  const { node_id: id } = await site.addNode('host-1');
  await site.write('POST', '/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: id });
  const tab = await site.at(`nodes/${id}`);
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
