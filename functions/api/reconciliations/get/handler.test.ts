import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const get = (id: string, as: 'Viewer' | 'Editor' | 'Admin' = 'Editor') =>
  inventory.request('GET', `/v1/reconcile/${id}`, { as });

async function send(body: object) {
  const reply = await inventory.request('POST', '/v1/reconcile', { body, as: 'Editor' });
  expect(reply.status).toBe(200);
  return reply.body;
}

const desired = (name: string) => ({
  scope: { name_prefix: name },
  desired: { nodes: [{ node_type: 'generic', node_name: name, address: 'a' }] },
});

test('a plan has the state planned, and shows its progress after it was applied', async () => {
  const { plan_id: id } = await send(desired('db-1'));
  const { status, body } = await get(id);
  expect([status, body]).toMatchObject([200, { plan_id: id, state: 'planned' }]);
  await send({ plan_id: id, mode: 'apply' });
  expect((await get(id)).body).toMatchObject({
    plan_id: id,
    state: 'done',
    progress: { total: 1, done: 1, failed: 0 },
  });
});

test('a plan is visible only to the caller that made it', async () => {
  const { plan_id: id } = await send(desired('db-2'));
  expect([(await get(id, 'Viewer')).status, (await get(id, 'Admin')).status]).toEqual([404, 404]);
});

test('an unknown plan is a 404', async () => {
  expect((await get('00000000-0000-4000-8000-000000000000')).status).toBe(404);
});
