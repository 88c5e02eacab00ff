import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { checkInvariants } from '../../../tests/consistency/invariants.ts';
import { addHost } from '../../../tests/support/add.ts';
import { type Inventory, startInventory } from '../../../tests/support/inventory.ts';
import { readJobs, runPart } from '../../store/jobs/resumable-job.ts';
import { publishStatesOnSchedule, stateEventsJob } from './handler.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { withSend } from '../../../tests/support/table.ts';

let inventory: Inventory;
beforeEach(async () => (inventory = await startInventory()));
afterEach(async () => {
  expect(await checkInvariants(inventory.table)).toEqual([]);
  await inventory.stop();
});

const now = () => inventory.dependencies.clock();
const logged = (message: string) => inventory.logged.filter((line) => line.message === message);

/** Hosts that have reported, and fall silent for an hour. */
async function silentHosts(count: number): Promise<string[]> {
  const hosts = await Promise.all(Array.from({ length: count }, () => addHost(inventory)));
  for (const { pmmAgentId } of hosts)
    await inventory.request('POST', `/v1/agents/${pmmAgentId}/report`, { body: { agents: [] } });
  inventory.clock.now = testTime(3_600_000);
  return hosts.map(({ nodeId }) => nodeId).sort();
}

const states = async (): Promise<string[]> =>
  (await inventory.request('GET', '/v1/changes?kinds=state')).body.changes.map(({ id }: any) => id).sort();

test('publishes each change of state once, and logs the numbers', async () => {
  const ids = await silentHosts(3);
  const run = publishStatesOnSchedule(inventory.dependencies);
  await run();
  await run();
  expect(await states()).toEqual(ids);
  expect(logged('state events')).toMatchObject([
    { level: 'info', nodes: 3, live: 0, stale: 0, offline: 3, failed: 0, is_finished: true },
    { nodes: 3, offline: 0 },
  ]);
});

test('a pass begins after the last node of the former pass, and the next one at the first node', async () => {
  const ids = await silentHosts(4);
  await runPart(inventory.table, stateEventsJob, { clock: now, leaseMs: 1 }, () =>
    Promise.resolve({ state: 'waiting', place: ids[1] }),
  );
  const run = publishStatesOnSchedule(inventory.dependencies);
  await run();
  expect(await states()).toEqual(ids.slice(2));
  expect(await readJobs(inventory.table, ['state_events'], now())).toMatchObject([{ state: 'done' }]);
  await run();
  expect(await states()).toEqual(ids);
});

test('a node that cannot be published is logged, others are published, and the run is an error', async () => {
  const ids = await silentHosts(3);
  let failures = 1;
  const send = (command: object) => {
    const isWrite = command instanceof TransactWriteCommand;
    if (isWrite && failures-- > 0) return Promise.reject(new Error('no table'));
    return inventory.table.client.send(command as never);
  };
  const table = withSend(inventory.table, send);
  await expect(publishStatesOnSchedule({ ...inventory.dependencies, table })()).rejects.toThrow('1 nodes');
  const [failed] = logged('the state was not published') as any[];
  expect(failed).toMatchObject({ level: 'error', error: expect.stringContaining('no table') });
  expect(await states()).toEqual(ids.filter((id) => id !== failed.node_id));
  await publishStatesOnSchedule(inventory.dependencies)();
  expect(await states()).toEqual(ids);
});
