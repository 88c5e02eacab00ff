import { addHost, addNode } from '../../../../tests/support/add.ts';
import { afterNoon, afterNoonText, useInventoryAtNoon } from '../../../../tests/support/noon.ts';

const inventory = useInventoryAtNoon();

const statesOf = (id: string) => inventory.request('GET', `/v1/nodes/${id}/states`, { as: 'Viewer' });

async function report(pmmAgentId: string, minutes: number, more: object = {}) {
  inventory.clock.now = afterNoon(minutes);
  const body = { agents: [], ...more };
  expect((await inventory.request('POST', `/v1/agents/${pmmAgentId}/report`, { body })).status).toBe(200);
}

test('returns the states since the first report, and the live share of the time', async () => {
  const { nodeId, pmmAgentId } = await addHost(inventory, { stale_after: '5m', offline_after: '15m' });
  await report(pmmAgentId, 10);
  await report(pmmAgentId, 40);
  await report(pmmAgentId, 42, { connected: false });
  await report(pmmAgentId, 46);
  inventory.clock.now = afterNoon(50);
  expect(await statesOf(nodeId)).toMatchObject({ status: 200 });
  expect((await statesOf(nodeId)).body).toEqual({
    begin: afterNoonText(10),
    end: afterNoonText(50),
    availability: 0.275,
    intervals: [
      { state: 'live', begin: afterNoonText(10), end: afterNoonText(15) },
      { state: 'stale', begin: afterNoonText(15), end: afterNoonText(25) },
      { state: 'offline', begin: afterNoonText(25), end: afterNoonText(40) },
      { state: 'live', begin: afterNoonText(40), end: afterNoonText(42) },
      { state: 'stale', begin: afterNoonText(42), end: afterNoonText(46) },
      { state: 'live', begin: afterNoonText(46), end: afterNoonText(50) },
    ],
  });
});

test('the last interval has the state that a get returns, without another report', async () => {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  await report(pmmAgentId, 0);
  for (const minutes of [1, 11, 31, 3000]) {
    inventory.clock.now = afterNoon(minutes);
    const [{ body: node }, { body: history }] = [
      await inventory.request('GET', `/v1/nodes/${nodeId}`),
      await statesOf(nodeId),
    ];
    expect(history.intervals.at(-1)).toMatchObject({ state: node.state, end: afterNoonText(minutes) });
    expect(history.begin).toBe(afterNoonText(Math.max(0, minutes - 1440)));
  }
});

test('new timers apply from the last report on, and not to ended silences', async () => {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  await report(pmmAgentId, 0);
  await report(pmmAgentId, 15);
  inventory.clock.now = afterNoon(16);
  const timers = { stale_after: '2m', offline_after: '4m' };
  expect((await inventory.request('PATCH', `/v1/nodes/${nodeId}`, { body: timers })).status).toBe(200);
  inventory.clock.now = afterNoon(18);
  expect((await statesOf(nodeId)).body.intervals).toEqual([
    { state: 'live', begin: afterNoonText(0), end: afterNoonText(10) },
    { state: 'stale', begin: afterNoonText(10), end: afterNoonText(15) },
    { state: 'live', begin: afterNoonText(15), end: afterNoonText(17) },
    { state: 'stale', begin: afterNoonText(17), end: afterNoonText(18) },
  ]);
});

test('a node without reports has no states', async () => {
  const { node_id: id } = await addNode(inventory);
  expect((await statesOf(id)).body).toEqual({ begin: afterNoonText(0), end: afterNoonText(0), intervals: [] });
});

test('a missing node has no states: 404', async () => {
  expect((await statesOf('x')).status).toBe(404);
});
