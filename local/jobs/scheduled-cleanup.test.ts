import { mock } from 'node:test';
import { addNode } from '../../tests/support/add.ts';
import { type Inventory, startInventory } from '../../tests/support/inventory.ts';
import { startCleanup } from './scheduled-cleanup.ts';
import { testTime } from '../../tests/support/test-time.ts';

let inventory: Inventory;
beforeAll(async () => (inventory = await startInventory()));
afterAll(() => inventory.stop());
afterEach(() => mock.timers.reset());

const reports = () => inventory.logged.filter(({ message }) => message === 'cleanup');

test('cleans up after each interval and not before the first one has passed; a run that fails is logged, and the next one runs', async () => {
  const { node_id: id } = await addNode(inventory, { lifetime: 'ephemeral' });
  for (let index = 0; index < 4; index += 1) await addNode(inventory);
  const isThere = async () => (await inventory.request('GET', `/v1/nodes/${id}`)).status === 200;
  inventory.clock.now = testTime(86_400_000);
  let fails = true;
  const log = inventory.dependencies.log;
  const { client, name } = inventory.table;
  const send = (command: never) => (fails ? Promise.reject(new Error('no table')) : client.send(command));
  mock.timers.enable({ apis: ['setInterval'] });
  const { stop } = startCleanup({ ...inventory.dependencies, log, table: { name, client: { send } as never } }, 60);
  mock.timers.tick(59 * 60_000);
  expect(inventory.logged.filter(({ level }) => level === 'error')).toEqual([]);
  mock.timers.tick(60_000);
  const failed = async () => {
    while (!inventory.logged.some(({ message }) => message === 'cleanup failed'))
      await new Promise((done) => setTimeout(done, 10));
  };
  await failed();
  expect(inventory.logged).toContainEqual(
    expect.objectContaining({ level: 'error', error: expect.stringContaining('no table') }),
  );
  expect(await isThere()).toBe(true);
  fails = false;
  mock.timers.tick(60 * 60_000);
  await stop();
  expect(reports()).toMatchObject([{ removed: 1 }]);
  expect(await isThere()).toBe(false);
  mock.timers.tick(60 * 60_000);
  expect(reports()).toHaveLength(1);
});

test('0 minutes are never', async () => {
  mock.timers.enable({ apis: ['setInterval'] });
  const before = reports().length;
  const { stop } = startCleanup(inventory.dependencies, 0);
  mock.timers.tick(86_400_000);
  await stop();
  expect(reports()).toHaveLength(before);
});
