/** Lists of PMM have no pages. */
import { startPmmInventory } from '../../../tests/pmm/pmm-inventory.ts';
import { addNode } from '../../../tests/support/add.ts';

const { inventory } = await startPmmInventory();

const labels = Object.fromEntries(Array.from({ length: 64 }, (_, index) => [`label_${index}`, 'x'.repeat(1000)]));

test('a reply has up to 6 MB in one piece; a larger one is an error that names our list with pages', async () => {
  const list = (accept: Record<string, string> = {}) =>
    inventory.request('GET', '/v1/inventory/nodes', { headers: accept });
  // 66 kB each.
  const add = (count: number) =>
    Promise.all(Array.from({ length: count }, () => addNode(inventory, { custom_labels: labels })));
  for (let round = 0; round < 8; round += 1) await add(10);
  const whole = await list();
  expect([whole.status, whole.body.generic.length]).toEqual([200, 80]);
  expect(whole.text.length).toBeGreaterThan(5_000_000);
  for (let round = 0; round < 2; round += 1) await add(10);
  for (const accept of [{}, { 'Accept-Encoding': 'gzip' }])
    expect(await list(accept)).toMatchObject({
      status: 413,
      body: { code: 8, message: 'The reply exceeds 6 MB. Use GET /v1/nodes, which has pages.' },
    });
  const page = await inventory.request('GET', '/v1/nodes?page_size=10');
  expect(page.body.next_page_token).toEqual(expect.any(String));
});
