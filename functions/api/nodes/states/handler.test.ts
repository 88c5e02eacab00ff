import { addHost, addNode } from '../../../../tests/support/add.ts';
import { type Inventory, startInventory } from '../../../../tests/support/inventory.ts';

let inventory: Inventory;
const NOON = new Date('2030-01-01T12:00:00.000Z');
const after = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);
const text = (minutes: number) => after(minutes).toISOString();
beforeEach(async () => {
  inventory = await startInventory();
  inventory.clock.now = NOON;
});
afterEach(() => inventory.stop());

const statesOf = (id: string) => inventory.request('GET', `/v1/nodes/${id}/states`, { as: 'Viewer' });

async function report(pmmAgentId: string, minutes: number, more: object = {}) {
  inventory.clock.now = after(minutes);
  const body = { agents: [], ...more };
  expect((await inventory.request('POST', `/v1/agents/${pmmAgentId}/report`, { body })).status).toBe(200);
}

test('returns the states since the first report, and the live share of the time', async () => {
  const { nodeId, pmmAgentId } = await addHost(inventory, { stale_after: '5m', offline_after: '15m' });
  await report(pmmAgentId, 10);
  await report(pmmAgentId, 40);
  await report(pmmAgentId, 42, { connected: false });
  await report(pmmAgentId, 46);
  inventory.clock.now = after(50);
  expect(await statesOf(nodeId)).toMatchObject({ status: 200 });
  expect((await statesOf(nodeId)).body).toEqual({
    begin: text(10),
    end: text(50),
    availability: 0.275,
    intervals: [
      { state: 'live', begin: text(10), end: text(15) },
      { state: 'stale', begin: text(15), end: text(25) },
      { state: 'offline', begin: text(25), end: text(40) },
      { state: 'live', begin: text(40), end: text(42) },
      { state: 'stale', begin: text(42), end: text(46) },
      { state: 'live', begin: text(46), end: text(50) },
    ],
  });
});

test('the last interval has the state that a get returns, without another report', async () => {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  await report(pmmAgentId, 0);
  for (const minutes of [1, 11, 31, 3000]) {
    inventory.clock.now = after(minutes);
    const [{ body: node }, { body: history }] = [
      await inventory.request('GET', `/v1/nodes/${nodeId}`),
      await statesOf(nodeId),
    ];
    expect(history.intervals.at(-1)).toMatchObject({ state: node.state, end: text(minutes) });
    expect(history.begin).toBe(text(Math.max(0, minutes - 1440)));
  }
});

test('new timers apply from the last report on, and not to ended silences', async () => {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  await report(pmmAgentId, 0);
  await report(pmmAgentId, 15);
  inventory.clock.now = after(16);
  const timers = { stale_after: '2m', offline_after: '4m' };
  expect((await inventory.request('PATCH', `/v1/nodes/${nodeId}`, { body: timers })).status).toBe(200);
  inventory.clock.now = after(18);
  expect((await statesOf(nodeId)).body.intervals).toEqual([
    { state: 'live', begin: text(0), end: text(10) },
    { state: 'stale', begin: text(10), end: text(15) },
    { state: 'live', begin: text(15), end: text(17) },
    { state: 'stale', begin: text(17), end: text(18) },
  ]);
});

test('a node without reports has no states', async () => {
  const { node_id: id } = await addNode(inventory);
  expect((await statesOf(id)).body).toEqual({ begin: text(0), end: text(0), intervals: [] });
});

test('a missing node has no states: 404', async () => {
  expect((await statesOf('x')).status).toBe(404);
});
