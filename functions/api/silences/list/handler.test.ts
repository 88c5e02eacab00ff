import { addService } from '../../../../tests/support/add.ts';
import { testTime } from '../../../../tests/support/test-time.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

test('lists active silences by their end', async () => {
  for (const [cluster, life] of Object.entries({ a: '2h', b: '1h', c: '1m' })) {
    await addService(inventory, { cluster });
    const body = { selector: `cluster=${cluster}`, reason: 'Upgrade', time_to_live: life };
    expect((await inventory.request('POST', '/v1/silences', { body })).status).toBe(201);
  }
  inventory.clock.now = testTime(61_000);
  const { body } = await inventory.request('GET', '/v1/silences', { as: 'Viewer' });
  inventory.clock.now = undefined;
  expect(body.silences.map((silence: any) => silence.selector)).toEqual(['cluster=b', 'cluster=a']);
});
