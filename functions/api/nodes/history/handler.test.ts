import { addNode } from '../../../../tests/support/add.ts';
import { TEST_TIME } from '../../../../tests/support/test-time.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const history = (path: string, query = '') => inventory.request('GET', `${path}/history${query}`, { as: 'Viewer' });

test('lists the changes of one object, newest first', async () => {
  const { node_id: id } = await addNode(inventory, { distro: '0' });
  for (const distro of ['1', '2', '3']) {
    await inventory.request('PATCH', `/v1/nodes/${id}`, { body: { distro } });
    await addNode(inventory);
  }
  const { status, body } = await history(`/v1/nodes/${id}`);
  expect(status).toBe(200);
  expect(body.changes.map(({ revision, after }: any) => [revision, after.distro])).toEqual([
    [4, '3'],
    [3, '2'],
    [2, '1'],
    [1, '0'],
  ]);
  expect(new Set(body.changes.map((change: any) => change.id))).toEqual(new Set([id]));
});

test('lists changes in pages', async () => {
  const { node_id: id } = await addNode(inventory);
  for (let count = 0; count < 6; count += 1)
    await inventory.request('PATCH', `/v1/nodes/${id}`, { body: { distro: String(count) } });
  const revisions: number[] = [];
  let token = '';
  do {
    const { body } = await history(`/v1/nodes/${id}`, `?page_size=3${token}`);
    expect(body.changes.length).toBeLessThanOrEqual(3);
    revisions.push(...body.changes.map(({ revision }: any) => revision));
    token = body.next_page_token === undefined ? '' : `&page_token=${body.next_page_token}`;
  } while (token !== '');
  expect(revisions).toEqual([7, 6, 5, 4, 3, 2, 1]);
  const { node_id: other } = await addNode(inventory);
  const { body } = await history(`/v1/nodes/${id}`, '?page_size=3');
  expect((await history(`/v1/nodes/${other}`, `?page_token=${body.next_page_token}`)).status).toBe(400);
});

test('ends with the oldest change that is kept', async () => {
  const { node_id: id } = await addNode(inventory);
  const { body } = await history(`/v1/nodes/${id}`);
  const changeId: string = body.changes[0].change_id;
  await inventory.request('PATCH', `/v1/nodes/${id}`, { body: { distro: 'x' } });
  const { client, name } = inventory.table;
  const { DeleteCommand } = await import('@aws-sdk/lib-dynamodb');
  const Key = { pk: `CHANGE#${changeId.slice(0, 1)}`, sk: changeId.slice(1) };
  await client.send(new DeleteCommand({ TableName: name, Key }));
  expect((await history(`/v1/nodes/${id}`)).body).toEqual({ changes: [expect.objectContaining({ revision: 2 })] });
});

test('pages omit expired changes, also before DynamoDB removes them', async () => {
  const { node_id: id } = await addNode(inventory);
  const [later, path] = [TEST_TIME + 30 * 86_400_000, `/v1/nodes/${id}/history?page_size=1`];
  inventory.clock.now = new Date(later - 60_000);
  await inventory.request('PATCH', `/v1/nodes/${id}`, { body: { distro: 'x' } });
  expect((await inventory.request('GET', path)).body.next_page_token).toEqual(expect.any(String));
  inventory.clock.now = new Date(later + 60_000);
  expect((await inventory.request('GET', path)).body).toEqual({ changes: [expect.objectContaining({ revision: 2 })] });
  inventory.clock.now = undefined;
});

test('a missing node has no history: 404', async () => {
  expect((await history('/v1/nodes/x')).status).toBe(404);
});
