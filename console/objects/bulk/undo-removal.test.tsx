import { goTo, rowsOf, screen, textOf, user, within } from '../../testing/page.tsx';
import { openSite } from '../../testing/site.tsx';

const site = openSite();

/** A node with an agent process, on its page. */
async function atHost(name: string): Promise<string> {
  const { node_id: id } = await site.addNode(name);
  await site.write('POST', '/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: id });
  await site.at(`nodes/${id}`);
  return id;
}

async function remove(name: string): Promise<void> {
  await user.click(screen.getByText('Remove'));
  const dialog = within(screen.getByRole('dialog', { name: 'Remove node' }));
  await user.click(dialog.getByRole('checkbox'));
  await user.click(dialog.getByRole('button', { name: 'Remove' }));
  expect(textOf()).toContain(`The node ${name} was removed with its dependent objects.`);
}

const undo = (name: string) => screen.queryByRole('button', { name: `Undo the removal of ${name}` });

const title = () => textOf(document.querySelector('main h1')!);

test('the message after a removal has a button that restores the object and its dependent objects', async () => {
  const id = await atHost('host-1');
  await remove('host-1');
  expect(textOf()).toContain('No nodes yet');
  await user.click(undo('host-1')!);
  expect(textOf()).toContain('was restored with 1 dependent object.');
  expect(title()).toBe('host-1');
  expect(rowsOf('Agents that run on it').map(textOf)).toEqual([expect.stringContaining('pmm_agent')]);
  expect((await site.api('GET', `/v1/nodes/${id}`)).status).toBe(200);
  expect(undo('host-1')).toBeNull();
  // The message came to this page, and goes with it.
  await goTo('services');
  expect(textOf()).not.toContain('was restored');
});

test('a name that was taken in the meantime is reported with a link to the removals', async () => {
  await atHost('host-2');
  await remove('host-2');
  await site.addNode('host-2');
  await user.click(undo('host-2')!);
  expect(textOf()).toContain('The node could not be restored');
  expect(textOf()).toMatch(/host-2.*already exists/);
  await user.click(document.querySelector('[class*=flash] a[href*=removed]')!);
  expect(title()).toMatch(/^Removed/);
});

test('a removal that another user restored is reported', async () => {
  await atHost('host-3');
  await remove('host-3');
  const [{ removal_id: removal }] = (await site.api('GET', '/v1/removed')).body.removals;
  await site.write('POST', `/v1/removed/${removal}/restore`);
  await user.click(undo('host-3')!);
  expect(textOf()).toContain('it was restored before');
});
