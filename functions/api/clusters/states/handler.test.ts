import { randomUUID } from 'node:crypto';
import { addHost, addService } from '../../../../tests/support/add.ts';
import { afterNoon, afterNoonText, useInventoryAtNoon } from '../../../../tests/support/noon.ts';
import { service } from '../../../../tests/support/store.ts';
import { itemsOfObject, putItems } from '../../../../tests/support/stored-objects.ts';
import { MAX_MEMBERS } from '../../../domain/service/cluster.ts';
import { labelIndexPartition } from '../../../store/table/keys.ts';

const inventory = useInventoryAtNoon();

const statesOf = (cluster: string) =>
  inventory.request('GET', `/v1/clusters/${encodeURIComponent(cluster)}/states`, { as: 'Viewer' });

const host = () => addHost(inventory, { address: randomUUID() });

async function report(pmmAgentId: string, ...minutes: number[]) {
  for (const minute of minutes) {
    inventory.clock.now = afterNoon(minute);
    await inventory.request('POST', `/v1/agents/${pmmAgentId}/report`, { body: { agents: [] } });
  }
}

test('returns the worst state at each time, and when at least one or all services were live', async () => {
  const [first, second, other] = [await host(), await host(), await host()];
  await addService(inventory, { cluster: 'a/b', node_ids: [first.nodeId] });
  await addService(inventory, { cluster: 'a/b', node_ids: [second.nodeId] });
  await addService(inventory, { cluster: 'c', node_ids: [other.nodeId] });
  await report(other.pmmAgentId, 0, 8, 16, 24, 32);
  await report(first.pmmAgentId, 0, 50);
  await report(second.pmmAgentId, 0, 9, 18, 27, 42, 52);
  inventory.clock.now = afterNoon(60);
  expect((await statesOf('a/b')).body).toEqual({
    begin: afterNoonText(0),
    end: afterNoonText(60),
    availability: 0.91666,
    all_live: 0.33333,
    intervals: [
      { state: 'live', begin: afterNoonText(0), end: afterNoonText(10) },
      { state: 'stale', begin: afterNoonText(10), end: afterNoonText(30) },
      { state: 'offline', begin: afterNoonText(30), end: afterNoonText(50) },
      { state: 'live', begin: afterNoonText(50), end: afterNoonText(60) },
    ],
  });
});

test('a service has the best state of its nodes; nodes without reports and services without nodes do not count', async () => {
  const [first, second, silent] = [await host(), await host(), await host()];
  await addService(inventory, { cluster: 'a', node_ids: [first.nodeId, second.nodeId] });
  await addService(inventory, { cluster: 'a', node_ids: [silent.nodeId] });
  await addService(inventory, { cluster: 'a' });
  await report(first.pmmAgentId, 0);
  await report(second.pmmAgentId, 5);
  inventory.clock.now = afterNoon(20);
  expect((await statesOf('a')).body).toEqual({
    begin: afterNoonText(0),
    end: afterNoonText(20),
    ...{ availability: 0.75, all_live: 0.75 },
    intervals: [
      { state: 'live', begin: afterNoonText(0), end: afterNoonText(15) },
      { state: 'stale', begin: afterNoonText(15), end: afterNoonText(20) },
    ],
  });
});

test('a cluster without reports has no states', async () => {
  await addService(inventory, { cluster: 'a' });
  expect((await statesOf('a')).body).toEqual({ begin: afterNoonText(0), end: afterNoonText(0), intervals: [] });
});

test('a cluster that no service names is a 404', async () => {
  expect(await statesOf('nobody')).toMatchObject({ status: 404, body: { message: 'Cluster "nobody" not found.' } });
});

test('a cluster with too many services is a 400', async () => {
  const many = Array.from({ length: MAX_MEMBERS + 1 }, () => service([], { cluster: 'large' }));
  const entries = labelIndexPartition('service', 'cluster', 'large');
  await putItems(
    inventory.table,
    many.flatMap(itemsOfObject).filter(({ pk }) => pk === entries),
  );
  expect((await statesOf('large')).status).toBe(400);
});
