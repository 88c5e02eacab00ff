import { hash } from 'node:crypto';
import type { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { putItems } from '../../../tests/support/stored-objects.ts';
import { node, service } from '../../../tests/support/store.ts';
import { fakeTable, putItem, withSend } from '../../../tests/support/table.ts';
import { heartbeatPartitions, processAttribute } from '../table/keys.ts';
import {
  allHeartbeats,
  MAX_KEPT_HEARTBEATS,
  newHeartbeat,
  readHeartbeatRange,
  readHeartbeats,
  toHeartbeat,
} from './heartbeat.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const NOW = new Date('2026-05-01T10:00:00Z');

test('a heartbeat is read as it was written', () => {
  const place = node({ node_name: 'n', stale_after: '5m', offline_after: '15m' });
  const report = { at: 7, agents: { a: ['running', 1, null] } };
  const item = { ...newHeartbeat(place.object, NOW), [processAttribute('p')]: report, [processAttribute('q')]: {} };
  expect(toHeartbeat(item)).toEqual({
    nodeId: place.object.node_id,
    nodeName: 'n',
    addedAt: NOW.getTime(),
    life: { lifetime: 'permanent', staleAfter: 300, offlineAfter: 900, removeAfter: 86_400 },
    isOutdated: false,
    processes: new Map([
      ['p', report],
      ['q', undefined],
    ]),
  });
});

describe('in the table', () => {
  const { table } = useTable();

  test('ranges contain each heartbeat once, in node id order, whatever a partition returns', async () => {
    const nodes = Array.from({ length: 60 }, () => node());
    for (const entity of nodes) await putItem(table, newHeartbeat(entity.object, NOW));
    const sorted = nodes.map(({ object }) => object.node_id).sort();
    for (const perPartition of [1, 2, 3, 100]) {
      const ids: string[] = [];
      let after: string | undefined;
      do {
        const { heartbeats, reach } = await readHeartbeatRange(table, after, perPartition);
        expect(heartbeats.length).toBeLessThanOrEqual(16 * perPartition);
        ids.push(...heartbeats.map(({ nodeId }) => nodeId));
        after = reach;
      } while (after !== undefined);
      expect([perPartition, ids]).toEqual([perPartition, sorted]);
    }
  });

  test('all heartbeats are read if they are few; of too many only the first', async () => {
    const ids = Array.from({ length: 2000 }, (_, index) => hash('sha256', String(index)).slice(0, 32));
    await putItems(
      table,
      ids.map((id) => newHeartbeat({ ...node().object, node_id: id }, NOW)),
    );
    // 125 of each partition, of which the first 100 say how many there are.
    for (const perPartition of [1000, 140]) {
      const all = await allHeartbeats(table, perPartition);
      expect(ids.filter((id) => all?.has(id) !== true)).toEqual([]);
    }
    const limits: unknown[] = [];
    const counting = withSend(table, (command: QueryCommand) => {
      limits.push(command.input.Limit);
      return table.client.send(command);
    });
    expect(await allHeartbeats(counting, 102)).toBeUndefined();
    // 100 of each partition, and one more, which says whether others follow.
    expect(limits).toEqual(Array(16).fill(101));
  });

  test('a request keeps the heartbeats of 50,000 nodes at most', () => {
    expect(MAX_KEPT_HEARTBEATS * heartbeatPartitions.length).toBe(50_000);
  });

  test("heartbeats of an object's nodes are found", async () => {
    const nodes = Array.from({ length: 40 }, () => node());
    for (const entity of nodes) await putItem(table, newHeartbeat(entity.object, NOW));
    const ids = nodes.map(({ object }) => object.node_id);
    const [first, second] = [nodes[0]!, nodes[1]!];
    const heartbeats = await readHeartbeats(table, [first, service([first, second]), node(), service()]);
    expect([...heartbeats.keys()].sort()).toEqual([ids[0], ids[1]].sort());
  });

  test('objects without a node need no read', async () => {
    const fake = fakeTable(() => {
      throw new Error('not to be called');
    });
    expect((await readHeartbeats(fake, [service()])).size).toBe(0);
  });
});
