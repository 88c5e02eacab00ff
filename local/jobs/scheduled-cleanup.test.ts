import { addNode } from '../../tests/support/add.ts';
import { turnOfTheLoop } from '../../tests/support/manual-clock.ts';
import { startCleanup } from './scheduled-cleanup.ts';
import { withSend } from '../../tests/support/table.ts';
import { useInventory } from '../../tests/support/fixtures.ts';

const inventory = useInventory();

const reports = () => inventory.logged.filter(({ message }) => message === 'cleanup');

test('cleans up after each interval, and a failed run is logged before the next', async () => {
  const { node_id: id } = await addNode(inventory, { lifetime: 'ephemeral' });
  for (let index = 0; index < 4; index += 1) await addNode(inventory);
  const isThere = async () => (await inventory.request('GET', `/v1/nodes/${id}`)).status === 200;
  inventory.clock.now = new Date(inventory.dependencies.clock().getTime() + 86_400_000);
  let fails = true;
  const log = inventory.dependencies.log;
  const { client } = inventory.table;
  const send = (command: any) => (fails ? Promise.reject(new Error('no table')) : client.send(command));
  const { stop } = startCleanup({ ...inventory.dependencies, log, table: withSend(inventory.table, send) }, 60);
  inventory.passing.advance(59 * 60_000);
  expect(inventory.logged.filter(({ level }) => level === 'error')).toEqual([]);
  inventory.passing.advance(60_000);
  const failed = async () => {
    while (!inventory.logged.some(({ message }) => message === 'cleanup failed')) await turnOfTheLoop();
  };
  await failed();
  expect(inventory.logged).toContainEqual(
    expect.objectContaining({ level: 'error', error: expect.stringContaining('no table') }),
  );
  expect(await isThere()).toBe(true);
  fails = false;
  inventory.passing.advance(60 * 60_000);
  await stop();
  expect(reports()).toMatchObject([{ removed: 1 }]);
  expect(await isThere()).toBe(false);
  inventory.passing.advance(60 * 60_000);
  expect(reports()).toHaveLength(1);
});

test('0 minutes disable it', async () => {
  const before = reports().length;
  const { stop } = startCleanup(inventory.dependencies, 0);
  inventory.passing.advance(86_400_000);
  await stop();
  expect(reports()).toHaveLength(before);
});
