import { checkInvariants } from '../../../tests/consistency/invariants.ts';
import { addNode, addService } from '../../../tests/support/add.ts';
import { type Inventory, startInventory } from '../../../tests/support/inventory.ts';
import { beginPart, readJobs, runPart } from '../../store/jobs/resumable-job.ts';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dependentsKey } from '../../store/table/keys.ts';
import type { CleanupPlace } from '../../store/inventory/cleanup.ts';
import { cleanUpOnSchedule, cleanupJob } from './handler.ts';
import { TEST_TIME } from '../../../tests/support/test-time.ts';

let inventory: Inventory;
beforeEach(async () => (inventory = await startInventory()));
afterEach(async () => {
  expect(await checkInvariants(inventory.table)).toEqual([]);
  await inventory.stop();
});

const ephemeral = () => addNode(inventory, { lifetime: 'ephemeral' });
const run = () => cleanUpOnSchedule(inventory.dependencies)();
const now = () => inventory.dependencies.clock();
const later = (milliseconds: number) => new Date(now().getTime() + milliseconds);
const logged = (...messages: string[]) => inventory.logged.filter(({ message }) => messages.includes(message));

const waitAt = (place: CleanupPlace) =>
  runPart(inventory.table, cleanupJob, { clock: now, leaseMs: 1 }, () => Promise.resolve({ state: 'waiting', place }));
const state = async () => (await readJobs(inventory.table, ['cleanup'], now()))[0]?.state;

test('removes due nodes in the name of the service, and logs the result', async () => {
  const { node_id: id, node_name: name } = await ephemeral();
  for (let index = 0; index < 4; index += 1) await addNode(inventory);
  await run();
  expect((await inventory.request('GET', `/v1/nodes/${id}`)).status).toBe(200);
  inventory.clock.now = later(86_400_000);
  await run();
  expect((await inventory.request('GET', `/v1/nodes/${id}`)).status).toBe(404);
  expect(logged('cleanup')).toMatchObject([
    { level: 'info', removed: 0, kept: 0 },
    { level: 'info', threshold_exceeded: false, removed: 1, kept: 0 },
  ]);
  expect(logged('removed by the cleanup', 'kept by the cleanup')).toMatchObject([
    { message: 'removed by the cleanup', node_id: id, node_name: name, objects: 1 },
  ]);
  const { removals } = (await inventory.request('GET', '/v1/removed')).body;
  expect(removals).toMatchObject([{ actor: { kind: 'system', name: 'scheduled cleanup' } }]);
});

test('the safety threshold ends it with an error for the alarm; nothing is removed, and the log contains the numbers', async () => {
  const { node_id: id } = await ephemeral();
  for (let index = 0; index < 3; index += 1) await addNode(inventory);
  inventory.clock.now = later(86_400_000);
  await expect(run()).rejects.toThrow('safety threshold');
  expect((await inventory.request('GET', `/v1/nodes/${id}`)).status).toBe(200);
  expect(logged('cleanup')).toMatchObject([{ level: 'error', threshold_exceeded: true, removed: 0, kept: 1 }]);
  expect(logged('kept by the cleanup')).toMatchObject([{ node_id: id, reason: 'threshold_exceeded' }]);
  expect(await state()).toBe('stopped');
});

test('a run continues an unfinished one, and clears the stored place at the end', async () => {
  const { node_id: id } = await ephemeral();
  for (let index = 0; index < 20; index += 1) await addNode(inventory);
  const asOf = later(86_400_000).getTime();
  inventory.clock.now = new Date(asOf + 60_000);
  // All nodes were counted.
  await waitAt({ phase: 'remove', asOf, objects: 1 });
  await run();
  expect((await inventory.request('GET', `/v1/nodes/${id}`)).status).toBe(404);
  expect(await state()).toBe('done');
});

test('a cleanup that began more than a day ago restarts', async () => {
  const { node_id: id } = await ephemeral();
  for (let index = 0; index < 4; index += 1) await addNode(inventory);
  inventory.clock.now = later(2 * 86_400_000);
  // The former cleanup would find nothing that it has counted.
  await waitAt({ phase: 'remove', asOf: TEST_TIME - 1, objects: 1 });
  await run();
  expect((await inventory.request('GET', `/v1/nodes/${id}`)).status).toBe(404);
});

test('a concurrent run removes nothing', async () => {
  const { node_id: id } = await ephemeral();
  for (let index = 0; index < 4; index += 1) await addNode(inventory);
  inventory.clock.now = later(86_400_000);
  const part = await beginPart(inventory.table, cleanupJob, { now: now(), leaseMs: 60_000 });
  await run();
  expect((await inventory.request('GET', `/v1/nodes/${id}`)).status).toBe(200);
  expect(logged('another cleanup is in progress')).toHaveLength(1);
  await part!.release();
  await run();
  expect((await inventory.request('GET', `/v1/nodes/${id}`)).status).toBe(404);
});

test('an object that an older version left closed is reopened and logged once', async () => {
  const { node_id: id } = await addNode(inventory);
  await inventory.table.client.send(
    new UpdateCommand({
      TableName: inventory.table.name,
      Key: dependentsKey('node', id),
      UpdateExpression: 'SET removing = :yes',
      ExpressionAttributeValues: { ':yes': true },
    }),
  );
  const body = { service_type: 'mysql', service_name: 's', address: 'a', port: 1, node_ids: [id] };
  expect((await inventory.request('POST', '/v1/services', { body })).body.message).toContain('is being removed');
  await run();
  await addService(inventory, { node_ids: [id] });
  await run();
  expect(logged('reopened: an older version did not finish its forced removal')).toMatchObject([
    { level: 'info', kind: 'node', id },
  ]);
});
