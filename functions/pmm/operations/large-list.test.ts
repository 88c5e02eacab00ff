/** Lists of PMM have no pages. */
import { startPmmInventory } from '../../../tests/pmm/pmm-inventory.ts';
import { node } from '../../../tests/support/store.ts';
import { putObjectsAlone } from '../../../tests/support/stored-objects.ts';

// Of the nodes, only the items that a list reads are written.
const { inventory } = await startPmmInventory({ isChecked: false });

const labels = Object.fromEntries(Array.from({ length: 64 }, (_, index) => [`label_${index}`, 'x'.repeat(1000)]));

test('a reply has up to 6 MB in one piece; a larger one is an error that names our list with pages', async () => {
  const list = (accept: Record<string, string> = {}) =>
    inventory.request('GET', '/v1/inventory/nodes', { headers: accept });
  // 66 kB each.
  const add = (count: number) =>
    putObjectsAlone(
      inventory.table,
      Array.from({ length: count }, () => node({ custom_labels: labels })),
    );
  await add(80);
  const whole = await list();
  expect([whole.status, whole.body.generic.length]).toEqual([200, 80]);
  expect(whole.text.length).toBeGreaterThan(5_000_000);
  await add(20);
  for (const accept of [{}, { 'Accept-Encoding': 'gzip' }])
    expect(await list(accept)).toMatchObject({
      status: 413,
      body: { code: 8, message: 'The reply exceeds 6 MB. Use GET /v1/nodes, which has pages.' },
    });
  const page = await inventory.request('GET', '/v1/nodes?page_size=10');
  expect(page.body.next_page_token).toEqual(expect.any(String));
});
