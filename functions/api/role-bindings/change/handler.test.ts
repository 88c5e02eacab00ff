import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const path = '/v1/role-bindings/deployments';
beforeEach(async () => {
  await inventory.request('DELETE', path);
  const claims = { repository_id: ['1'] };
  const body = { name: 'deployments', provider: 'github', claims, role: 'Editor', owners: ['shop'] };
  await inventory.request('POST', '/v1/role-bindings', { body });
});
const change = (body: object, headers = {}) => inventory.request('PATCH', path, { body, headers });

test('absent fields stay, null clears, and claims are replaced', async () => {
  const { status, body } = await change({ owners: null, claims: { repository_owner_id: ['7'] }, description: 'All' });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    role: 'Editor',
    claims: { repository_owner_id: ['7'] },
    description: 'All',
    revision: 2,
  });
  expect(body).not.toHaveProperty('owners');
  expect((await inventory.request('GET', path)).body).toEqual(body);
});

test('a change without an effect writes nothing', async () => {
  expect((await change({ role: 'Editor', owners: ['shop'] })).body.revision).toBe(1);
});

test('If-Match refuses a change or removal of another revision', async () => {
  expect((await change({ role: 'Viewer' }, { 'If-Match': '"2"' })).status).toBe(412);
  expect((await change({ role: 'Viewer' }, { 'If-Match': '"1"' })).status).toBe(200);
  const remove = (revision: string) => inventory.request('DELETE', path, { headers: { 'If-Match': revision } });
  expect([(await remove('"1"')).status, (await remove('"2"')).status, (await remove('*')).status]).toEqual([
    412, 204, 404,
  ]);
});

test('the rules apply to the result: an Editor with owners cannot become an Admin with owners', async () => {
  expect((await change({ role: 'Admin' })).status).toBe(400);
  expect((await change({ role: 'Admin', owners: null })).status).toBe(200);
  expect((await change({ claims: { ref: ['refs/heads/main'] } })).status).toBe(400);
});

test('simultaneous changes all take effect', async () => {
  const replies = await Promise.all(
    [{ role: 'Viewer' }, { owners: ['a'] }, { description: 'b' }].map((update) => change(update)),
  );
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  const { body } = await inventory.request('GET', path);
  expect(body).toMatchObject({ role: 'Viewer', owners: ['a'], description: 'b', revision: 4 });
});
