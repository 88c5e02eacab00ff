import type { Table } from '../../../shared/db/table.ts';
import { heartbeatPartitions } from '../table/keys.ts';
import { queryUpTo } from '../table/read.ts';
import { type Heartbeat, type Heartbeats, toHeartbeats } from './heartbeat.ts';

export interface HeartbeatRange {
  /** Sorted by node id. */
  heartbeats: Heartbeat[];
  /** The node id up to which they are complete; undefined: no heartbeat follows. */
  reach: string | undefined;
}

/**
 * The heartbeats after a node id, in the order of node ids, which are random: `perPartition` of each partition at most.
 * One query of each partition, in parallel, and one round of batch reads of the groups in which some of them are.
 * Eventually consistent, at half the price.
 *
 * All partitions are read from the same id on, so one id says how far the nodes were read. Those that one partition has
 * after the end of another are read again: with 100 of each, about a fifth.
 */
export async function readHeartbeatRange(
  table: Table,
  after: string | undefined,
  perPartition: number,
): Promise<HeartbeatRange> {
  const parts = await Promise.all(
    heartbeatPartitions.map(async (partition) => {
      const { items, more } = await queryUpTo(table, {
        partition,
        ExclusiveStartKey: after === undefined ? undefined : { pk: partition, sk: after },
        size: perPartition,
      });
      return { items, reach: more ? String(items.at(-1)?.['sk']) : undefined };
    }),
  );
  // Sorting puts undefined last.
  const reach = parts
    .map((part) => part.reach)
    .sort()
    .at(0);
  const items = parts
    .flatMap((part) => part.items.filter(({ sk }) => reach === undefined || String(sk) <= reach))
    .sort((left, right) => (String(left['sk']) < String(right['sk']) ? -1 : 1));
  return { heartbeats: await toHeartbeats(table, items, false), reach };
}

/**
 * The heartbeats of all nodes if they are few, from which states follow at a tenth of the price; undefined otherwise.
 */
export async function allHeartbeats(table: Table, perPartition: number): Promise<Heartbeats | undefined> {
  const { heartbeats, reach } = await readHeartbeatRange(table, undefined, perPartition);
  return reach === undefined ? new Map(heartbeats.map((one) => [one.nodeId, one])) : undefined;
}
