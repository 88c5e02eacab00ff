import * as z from 'zod/mini';
import type { Item, Table } from '../../../shared/db/table.ts';
import { groupTimesKey, heartbeatKey } from '../table/keys.ts';
import { readItem, readItems } from '../table/read.ts';
import { type GroupTimes, toGroupTimes } from './group.ts';
import type { Report } from './stored-report.ts';

const pointerSchema = z.object({ id: z.string(), slot: z.int(), process: z.string() });

/** In a heartbeat: the group that contains the time of the last report of a process. */
export type GroupPointer = z.output<typeof pointerSchema>;

/** The attribute of the pointer. While a heartbeat has it, only a join and a leave of a group write the heartbeat. */
export const GROUP = 'group';

export const pointerIn = (item: Item | undefined): GroupPointer | undefined =>
  z.safeParse(pointerSchema, item?.[GROUP]).data;

/** As much of a heartbeat as the time of its group concerns. */
interface GroupedReports {
  nodeId: string;
  processes: ReadonlyMap<string, Report | undefined>;
  group?: GroupPointer;
}

/** The times of a group; undefined when it does not exist. */
export async function readGroupTimes(table: Table, id: string, isConsistent = true): Promise<GroupTimes | undefined> {
  const item = await readItem(table, groupTimesKey(id), isConsistent);
  return item === undefined ? undefined : toGroupTimes(item);
}

/** The times of groups by id: one round of batch reads, one unit each if they are strongly consistent. */
async function timesOfGroups(
  table: Table,
  ids: ReadonlySet<string>,
  isConsistent: boolean,
): Promise<ReadonlyMap<string, GroupTimes>> {
  if (ids.size === 0) return new Map();
  const items = await readItems(
    table,
    [...ids].map((id) => groupTimesKey(id)),
    isConsistent,
  );
  const idsByKey = new Map([...ids].map((id) => [groupTimesKey(id).pk, id]));
  return new Map(
    items.flatMap((item) => {
      const id = idsByKey.get(String(item['pk']));
      return id === undefined ? [] : [[id, toGroupTimes(item)]];
    }),
  );
}

/** The heartbeat with the time that its group contains; undefined when the group does not contain it. */
function withTime<Heartbeat extends GroupedReports>(
  heartbeat: Heartbeat,
  groups: ReadonlyMap<string, GroupTimes>,
): Heartbeat | undefined {
  const { group, processes } = heartbeat;
  if (group === undefined) return heartbeat;
  const time = groups.get(group.id)?.times.get(group.slot);
  if (time === undefined) return undefined;
  const report = processes.get(group.process);
  if (report === undefined || report.at >= time) return heartbeat;
  return { ...heartbeat, processes: new Map([...processes, [group.process, { ...report, at: time }]]) };
}

/** How often heartbeats that left their group between both reads are read again. */
const ROUNDS = 3;

/**
 * The heartbeats with the times of their groups, in the same order. One more round of batch reads if one of them is in a
 * group, with one item for each group. A heartbeat that left its group in the meantime is read again, strongly
 * consistent; it is left out when the node has been removed.
 *
 * @param read turns items into heartbeats without the times of groups.
 */
export async function withGroupTimes<Heartbeat extends GroupedReports>(
  table: Table,
  heartbeats: readonly Heartbeat[],
  read: (item: Item) => Heartbeat,
  isConsistent = true,
): Promise<Heartbeat[]> {
  const byNode = new Map(heartbeats.map((heartbeat) => [heartbeat.nodeId, heartbeat]));
  let pending = heartbeats.filter(({ group }) => group !== undefined);
  for (let round = 0; pending.length > 0; round += 1) {
    const ids = new Set(pending.flatMap(({ group }) => group?.id ?? []));
    const groups = await timesOfGroups(table, ids, isConsistent || round > 0);
    const missing: string[] = [];
    for (const heartbeat of pending) {
      const timed = withTime(heartbeat, groups);
      if (timed === undefined) missing.push(heartbeat.nodeId);
      else byNode.set(heartbeat.nodeId, timed);
    }
    // A group that does not exist: the report in the heartbeat is the last one that is known.
    if (missing.length === 0 || round === ROUNDS) break;
    const items = await readItems(table, missing.map(heartbeatKey));
    const again = new Map(items.map(read).map((heartbeat) => [heartbeat.nodeId, heartbeat]));
    for (const id of missing) {
      const heartbeat = again.get(id);
      if (heartbeat === undefined) byNode.delete(id);
      else byNode.set(id, heartbeat);
    }
    pending = [...again.values()].filter(({ group }) => group !== undefined);
  }
  return heartbeats.flatMap(({ nodeId }) => byNode.get(nodeId) ?? []);
}
