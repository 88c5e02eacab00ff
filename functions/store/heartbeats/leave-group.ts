import { ABSENT, and, equals, PRESENT, stale } from '../../../shared/db/conditions.ts';
import { retryOnContention } from '../../../shared/db/contention.ts';
import { isRecord } from '../../../shared/db/item.ts';
import type { Item, Table } from '../../../shared/db/table.ts';
import { transact, type TransactItem } from '../../../shared/db/transact.ts';
import { groupMembersKey, groupTimesKey, heartbeatKey, processAttribute } from '../table/keys.ts';
import { readItems } from '../table/read.ts';
import { type GroupTimes, timesAttributes } from './group-items.ts';
import { GROUP, type GroupPointer, pointerIn, readGroupTimes } from './group-times.ts';

/** Heartbeats in one transaction, which also contains two items of their group. */
export const MAX_HEARTBEATS_AT_ONCE = 90;

interface Leaving {
  nodeId: string;
  pointer: GroupPointer;
  /** The stored report of the process. */
  report: Readonly<Record<string, unknown>>;
}

/** The times of the group without those that leave. The last one removes the group. */
function groupSteps(id: string, known: GroupTimes | undefined, leaving: readonly Leaving[]): TransactItem[] {
  if (known === undefined) return [{ check: groupTimesKey(id), condition: ABSENT, onConditionFailed: stale }];
  const times = new Map(known.times);
  for (const { pointer } of leaving) times.delete(pointer.slot);
  const unchanged = { condition: equals('version', known.version), onConditionFailed: stale };
  if (times.size === 0)
    return [
      { delete: groupTimesKey(id), ...unchanged },
      { delete: groupMembersKey(id), condition: PRESENT, onConditionFailed: stale },
    ];
  const next = { ...known, version: known.version + 1, times };
  return [{ update: groupTimesKey(id), set: timesAttributes(next), ...unchanged }];
}

function leavingIn(item: Item): Leaving[] {
  const pointer = pointerIn(item);
  if (pointer === undefined) return [];
  const report = item[processAttribute(pointer.process)];
  return [{ nodeId: String(item['sk']), pointer, report: isRecord(report) ? report : {} }];
}

/** Moves the times of these heartbeats, of one group, back into them. */
async function leave(table: Table, id: string, leaving: readonly Leaving[]): Promise<void> {
  const known = await readGroupTimes(table, id);
  const heartbeats = leaving.map(({ nodeId, pointer, report }): TransactItem => {
    const { at } = report;
    const times = [known?.times.get(pointer.slot), at].filter((time) => typeof time === 'number');
    return {
      update: heartbeatKey(nodeId),
      set: { [processAttribute(pointer.process)]: { ...report, at: Math.max(...times) } },
      remove: [GROUP],
      condition: and(equals(GROUP, pointer), equals([processAttribute(pointer.process), 'at'], at)),
      onConditionFailed: stale,
    };
  });
  await transact(table, [...heartbeats, ...groupSteps(id, known, leaving)]);
}

/**
 * Takes the heartbeats of these nodes out of their groups, so that they can be written: each then contains the time of
 * its last report itself. Nothing happens to nodes without a group. A transaction for each group.
 *
 * @throws ApiError as `retryOnContention`.
 */
export async function leaveGroups(table: Table, nodeIds: Iterable<string>): Promise<void> {
  const ids = [...new Set(nodeIds)];
  for (let index = 0; index < ids.length; index += MAX_HEARTBEATS_AT_ONCE) {
    const part = ids.slice(index, index + MAX_HEARTBEATS_AT_ONCE);
    await retryOnContention(table, async () => {
      const leaving = (await readItems(table, part.map(heartbeatKey))).flatMap(leavingIn);
      const byGroup = Map.groupBy(leaving, ({ pointer }) => pointer.id);
      for (const [id, members] of byGroup) await leave(table, id, members);
    });
  }
}
