import type { Table } from '../../../shared/db/table.ts';
import { node } from '../../../tests/support/store.ts';
import { putItem, startTable } from '../../../tests/support/table.ts';
import { newHeartbeat } from './heartbeat.ts';
import { readHeartbeatRange } from './heartbeat-range.ts';
import { testTime } from '../../../tests/support/test-time.ts';

let table: Table;
let stop: () => Promise<void>;
beforeAll(async () => ({ table, stop } = await startTable()));
afterAll(() => stop());

test('ranges follow each other in the order of node ids, each heartbeat in one of them, whatever a partition returns', async () => {
  const nodes = Array.from({ length: 60 }, () => node());
  for (const one of nodes) await putItem(table, newHeartbeat(one.object, testTime()));
  const ids = nodes.map(({ object }) => object.node_id).sort();
  for (const perPartition of [1, 2, 3, 100]) {
    const found: string[] = [];
    let after: string | undefined;
    do {
      const { heartbeats, reach } = await readHeartbeatRange(table, after, perPartition);
      expect(heartbeats.length).toBeLessThanOrEqual(16 * perPartition);
      found.push(...heartbeats.map(({ nodeId }) => nodeId));
      after = reach;
    } while (after !== undefined);
    expect([perPartition, found]).toEqual([perPartition, ids]);
  }
});
