import { rowsOf, screen, textOf, user, within } from '../testing/page.tsx';
import { openSite } from '../testing/site.tsx';

const site = openSite();

async function removeNode(name: string): Promise<string> {
  const { node_id: id } = await site.addNode(name);
  await site.write('DELETE', `/v1/nodes/${id}`);
  return id;
}

const isOn = (name: string) => rowsOf('Removed').some((row) => new RegExp(`${name}(?!\\d)`).test(textOf(row)));
const dialog = () => within(screen.getByRole('dialog', { name: 'Restore' }));
const press = (name: string) => user.click(dialog().getByRole('button', { name }));
const ask = (name: string) => user.click(screen.getByRole('button', { name: `Restore node ${name}` }));
const statusOf = async (id: string) => (await site.api('GET', `/v1/nodes/${id}`)).status;

test('a taken name has a message, and no object is restored until it is free', async () => {
  const id = await removeNode('taken-1');
  const { node_id: otherId } = await site.addNode('taken-1');
  await site.at('removed');
  await ask('taken-1');
  await press('Restore');
  expect(dialog().getByText('A name is taken')).toBeDefined();
  expect(dialog().getByText(/taken-1.*already exists/)).toBeDefined();
  expect(await statusOf(id)).toBe(404);
  await site.write('DELETE', `/v1/nodes/${otherId}`);
  await press('Try again');
  expect(textOf()).toContain('Restored: ');
  expect(await statusOf(id)).toBe(200);
});

test('a restoration by another user has a message, and the list is loaded again', async () => {
  await removeNode('other-1');
  const { body } = await site.api('GET', '/v1/removed');
  await site.at('removed');
  await ask('other-1');
  await site.write('POST', `/v1/removed/${body.removals[0].removal_id}/restore`);
  await press('Restore');
  expect(dialog().getByText('The removal was already restored, or has expired')).toBeDefined();
  await press('Reload the list');
  expect(isOn('other-1')).toBe(false);
});

test('a restoration that succeeds in part names each object that failed, and can be tried again', async () => {
  const { node_id: id } = await site.addNode('part-1');
  await site.write('POST', '/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: id });
  await site.write('DELETE', `/v1/nodes/${id}?force=true`);
  const [{ objects }] = (await site.api('GET', '/v1/removed')).body.removals;
  const isNode = ({ kind }: { kind: string }) => kind === 'node';
  const nodes = objects.filter(isNode);
  const refused = nodes.map((object: any) => ({
    ...object,
    status: 'ALREADY_EXISTS',
    message: 'Somebody has that name.',
  }));
  const network = await site.at('removed');
  const end = network.answer(/^POST .*\/restore$/, () => ({
    restored: objects.filter((object: any) => !isNode(object)),
    not_restored: refused,
  }));
  await ask('part-1');
  await press('Restore');
  expect(dialog().getByText('1 restored, 1 not')).toBeDefined();
  expect(dialog().getByText('Somebody has that name.')).toBeDefined();
  end();
  network.answer(/^POST .*\/restore$/, () => ({ restored: nodes, not_restored: [] }));
  await press('Try again');
  expect(textOf()).toContain('2 objects were restored:');
});

test('a request is one row, and the 24 objects of a bulk removal are restored with two clicks', async () => {
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

  await site.at('removed');
  const [request] = rowsOf('Removed').filter((row) => textOf(row).includes('bulk-'));
  expect(textOf(request!)).toContain('and 23 more');
  await user.click(within(request!).getByRole('button', { name: /^Restore all 24/ }));
  expect(textOf(screen.getByRole('dialog', { name: 'Restore' }))).toContain('Restore these 24 objects?');
  await press('Restore');
  expect(textOf()).toContain('24 objects were restored:');
  const { nodes } = (await site.api('GET', '/v1/nodes?name_prefix=bulk-')).body;
  expect(nodes.map((node: any) => node.node_name).sort()).toEqual(names.sort());
});

test('several requests are selected and restored, a refused one is named, and others succeed', async () => {
  const names = ['several-1', 'several-2', 'several-3'];
  const ids: string[] = [];
  for (const name of names) ids.push(await removeNode(name));
  const { node_id: taken } = await site.addNode('several-2');
  await site.at('removed');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Restore selected' }).disabled).toBe(true);
  for (const name of names) await user.click(screen.getByRole('checkbox', { name: `Select ${name}` }));
  await user.click(screen.getByRole('button', { name: 'Restore 3 objects' }));
  await press('Restore');
  expect(dialog().getByText('2 restored, 1 not')).toBeDefined();
  expect(textOf(screen.getByRole('dialog', { name: 'Restore' }))).toMatch(/several-2.*already exists/);
  expect(await Promise.all(ids.map(statusOf))).toEqual([200, 404, 200]);
  await site.write('DELETE', `/v1/nodes/${taken}`);
  await press('Try again');
  expect(textOf()).toContain('3 objects were restored:');
  expect(await Promise.all(ids.map(statusOf))).toEqual([200, 200, 200]);
});

test('a Viewer reaches the removal from the missing page, and reads the role for a restoration', async () => {
  const id = await removeNode('gone-1');
  await site.at(`nodes/${id}`, { key: site.inventory.keys.Viewer });
  await user.click(screen.getByRole('link', { name: 'Removed objects' }));
  expect(textOf()).toContain('To restore objects, you need the role Editor.');
  expect(isOn('gone-1')).toBe(true);
  expect(screen.queryAllByRole('button', { name: /^Restore/ })).toEqual([]);
});

test('removals are shown page by page, and a failed list can be repeated', async () => {
  for (let count = 1; count <= 101; count += 1) await removeNode(`many-${count}`);
  const network = await site.at('removed');
  expect(textOf()).toContain('(100+)');
  expect([isOn('many-101'), isOn('many-1')]).toEqual([true, false]);
  await user.click(screen.getByText('Show older'));
  expect(isOn('many-1')).toBe(true);
  expect(textOf()).toContain('No more removals can be restored.');
  network.refuseNext('GET /v1/removed', 400, 'It broke.');
  await user.click(screen.getByLabelText('Reload the removals'));
  expect(textOf()).toContain('The removals could not be loaded');
  await user.click(screen.getByText('Try again'));
  expect(isOn('many-101')).toBe(true);
  expect(textOf()).toContain('(100+)');
});
