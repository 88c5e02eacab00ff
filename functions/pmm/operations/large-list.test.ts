/** Lists of PMM have no pages. */
import { MAX_RESULT_BYTES } from '../../../shared/http/carry.ts';
import { startPmmInventory } from '../../../tests/pmm/pmm-inventory.ts';
import { wipe } from '../../../tests/consistency/invariants.ts';
import { addService } from '../../../tests/support/add.ts';
import { node } from '../../../tests/support/store.ts';
import { putObjectsAlone } from '../../../tests/support/stored-objects.ts';
import { jsonOf } from '../../store/entities/entity.ts';
import { inventoryRoutes } from '../declarations/inventory-routes.ts';
import { DROPPED } from '../wire/list-message.ts';
import { allVisible } from './lists.ts';

// Of the nodes, only the items that a list reads are written.
const { inventory, client } = await startPmmInventory({ isChecked: false });
beforeEach(() => wipe(inventory.table));

/** 66 kB each. */
const large = Object.fromEntries(Array.from({ length: 63 }, (_, index) => [`label_${index}`, 'x'.repeat(1000)]));

const add = (count: number, custom_labels: Record<string, string>) =>
  putObjectsAlone(
    inventory.table,
    Array.from({ length: count }, () => node({ custom_labels })),
  );

const list = (headers: Record<string, string> = {}) => inventory.request('GET', '/v1/inventory/nodes', { headers });

test('a reply contains up to 6 MB in one piece', async () => {
  await add(80, { ...large, team: 'a' });
  const { status, body, text } = await list();
  expect([status, body.generic.length]).toEqual([200, 80]);
  expect(text.length).toBeGreaterThan(5_000_000);
  expect(text).not.toContain(DROPPED);
});

test.each([100, 400])(
  'of %i nodes with large labels those of the largest owner lack some and state that',
  async (count) => {
    await add(count, { ...large, team: 'a' });
    await add(1, { ...large, other: 'whole' });
    for (const accept of [{}, { 'Accept-Encoding': 'gzip' }]) {
      const { status, body } = await list(accept);
      expect([status, body.generic.length]).toEqual([200, count + 1]);
      const [whole, ...others] = body.generic.toSorted((node: any) => (node.custom_labels.other === 'whole' ? -1 : 1));
      expect(whole.custom_labels).toEqual({ ...large, other: 'whole' });
      for (const { custom_labels: labels } of others)
        expect([labels.team, Object.keys(labels).length]).toEqual(['a', 65 - Number(labels[DROPPED])]);
    }
  },
);

test('a read holds at most the objects of two replies, however many exist', async () => {
  const call = {
    route: inventoryRoutes.find(({ operation }) => operation === 'listNodes')!,
    ...{ caller: () => ({ scope: undefined }), dependencies: inventory.dependencies },
  };
  let pages = 0;
  const held = await allVisible(call as never, 'node', () => {
    pages += 1;
    const objects = Array.from({ length: 20 }, () => node({ custom_labels: { ...large, team: 'a' } }));
    return Promise.resolve({ objects, next: pages < 30 ? ['', ''] : undefined });
  });
  const bytes = held.reduce((sum, entity) => sum + jsonOf(entity).length, 0);
  expect([held.length, bytes < 2 * MAX_RESULT_BYTES]).toEqual([600, true]);
});

test('a client cannot write back the shortened labels of such an object', async () => {
  const { service_id: id } = await addService(inventory, { custom_labels: { first: '1', second: '2' } });
  const change = { custom_labels: { values: { first: '1', [DROPPED]: '1' } } };
  const { status, body } = await client.send('PUT', `/v1/inventory/services/${id}`, change);
  expect([status, body.message]).toEqual([400, `Invalid label name "${DROPPED}".`]);
  const { mysql } = await client.get(`/v1/inventory/services/${id}`);
  expect(mysql.custom_labels).toEqual({ first: '1', second: '2' });
});

test('more objects than a reply can contain cause an error that names our paged list', async () => {
  await add(MAX_RESULT_BYTES / 2000 + 1, { first: 'x'.repeat(1000), second: 'x'.repeat(1000) });
  for (const accept of [{}, { 'Accept-Encoding': 'gzip' }])
    expect(await list(accept)).toMatchObject({
      status: 413,
      body: { code: 8, message: 'The reply exceeds 6 MB. Use GET /v1/nodes, which has pages.' },
    });
  const page = await inventory.request('GET', '/v1/nodes?page_size=10');
  expect(page.body.next_page_token).toEqual(expect.any(String));
});
