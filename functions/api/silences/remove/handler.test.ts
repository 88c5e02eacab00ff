import { addService } from '../../../../tests/support/add.ts';
import { addLimitedKey } from '../../../../tests/support/teams.ts';
import { testTime } from '../../../../tests/support/test-time.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

async function add(cluster: string, time_to_live = '1h') {
  await addService(inventory, { cluster });
  const body = { selector: `cluster=${cluster}`, reason: 'Upgrade', time_to_live };
  return (await inventory.request('POST', '/v1/silences', { body })).body;
}

const selectors = async () =>
  (await inventory.request('GET', '/v1/silences')).body.silences.map((silence: any) => silence.selector);

test('a removed silence has ended, and the audit contains who removed it', async () => {
  const { silence_id: id } = await add('orders');
  expect((await inventory.request('DELETE', `/v1/silences/${id}`, { as: 'Editor' })).status).toBe(204);
  expect(await selectors()).toEqual([]);
  expect((await inventory.request('DELETE', `/v1/silences/${id}`)).status).toBe(404);
  const { body } = await inventory.request('GET', '/v1/audit?event=silence.removed');
  expect(body.entries).toMatchObject([{ actor: { name: 'test Editor' }, subject: { id, name: 'cluster=orders' } }]);
});

test('an expired silence is not found', async () => {
  const { silence_id: id } = await add('brief', '1m');
  inventory.clock.now = testTime(61_000);
  const { status } = await inventory.request('DELETE', `/v1/silences/${id}`);
  inventory.clock.now = undefined;
  expect(status).toBe(404);
});

test('a caller with owners cannot remove a silence that can cover objects of other owners', async () => {
  const team = await addLimitedKey(inventory, ['a']);
  const everyones = await add('shared');
  const reply = await team.request('DELETE', `/v1/silences/${everyones.silence_id}`);
  expect([reply.status, reply.body.message]).toEqual([403, expect.stringContaining('team "a"')]);
  expect(await selectors()).toContain('cluster=shared');
});
