import { ABSENT, absent, and, equals, PRESENT, stale } from '../../../shared/db/conditions.ts';
import { Contention, retryOnContention, StaleRead } from '../../../shared/db/contention.ts';
import { isRecord } from '../../../shared/db/item.ts';
import type { Item, Table } from '../../../shared/db/table.ts';
import { transact, type TransactItem } from '../../../shared/db/transact.ts';
import { groupMembersKey, groupTimesKey, heartbeatKey, processAttribute } from '../table/keys.ts';
import { readItems } from '../table/read.ts';
import {
  type Group,
  type GroupMember,
  type GroupTimes,
  membersAttributes,
  readGroups,
  timesAttributes,
} from './group.ts';
import { GROUP, type GroupPointer, pointerIn, readGroupTimes } from './group-times.ts';
import { randomUUID } from 'node:crypto';
import { presentDefaults } from '../../domain/fields/liveness.ts';
import type { Heartbeat } from './heartbeat.ts';
import { digestOf, type ReportContents } from './stored-report.ts';

/** Heartbeats in one transaction, which also contains two items of their group. */
const MAX_HEARTBEATS_AT_ONCE = 90;

interface Leaving {
  nodeId: string;
  pointer: GroupPointer;
  /** The stored report of the process. */
  report: Readonly<Record<string, unknown>>;
}

/** The times of the group without those that leave. The last one removes the group. */
function groupSteps(id: string, groupTimes: GroupTimes | undefined, leaving: readonly Leaving[]): TransactItem[] {
  if (groupTimes === undefined) return [{ check: groupTimesKey(id), condition: ABSENT, onConditionFailed: stale }];
  const times = new Map(groupTimes.times);
  for (const { pointer } of leaving) times.delete(pointer.slot);
  const unchanged = { condition: equals('version', groupTimes.version), onConditionFailed: stale };
  if (times.size === 0)
    return [
      { delete: groupTimesKey(id), ...unchanged },
      { delete: groupMembersKey(id), condition: PRESENT, onConditionFailed: stale },
    ];
  const next = { ...groupTimes, version: groupTimes.version + 1, times };
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
  const groupTimes = await readGroupTimes(table, id);
  const heartbeats = leaving.map(({ nodeId, pointer, report }): TransactItem => {
    const { at } = report;
    const times = [groupTimes?.times.get(pointer.slot), at].filter((time) => typeof time === 'number');
    return {
      update: heartbeatKey(nodeId),
      set: { [processAttribute(pointer.process)]: { ...report, at: Math.max(...times) } },
      remove: [GROUP],
      condition: and(equals(GROUP, pointer), equals([processAttribute(pointer.process), 'at'], at)),
      onConditionFailed: stale,
    };
  });
  await transact(table, [...heartbeats, ...groupSteps(id, groupTimes, leaving)]);
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

/** With more members, the times of a group could exceed a read unit. */
export const MAX_MEMBERS = 500;

/** Fewer hosts that a relay reports together cost less with heartbeats of their own. */
export const MIN_MEMBERS = 8;

/** An agent process whose report says nothing new. */
export interface Candidate {
  pmmAgentId: string;
  contents: ReportContents;
  heartbeat: Heartbeat;
}

/** Names the group in the heartbeat, if the heartbeat is as it was read. */
function pointerStep(
  { heartbeat: { nodeId, life }, pmmAgentId }: Candidate,
  at: number,
  pointer: GroupPointer,
): TransactItem {
  return {
    update: heartbeatKey(nodeId),
    set: { [GROUP]: pointer },
    condition: and(
      equals([processAttribute(pmmAgentId), 'at'], at),
      absent(GROUP),
      equals('lifetime', life.lifetime),
      equals('stale_after', life.staleAfter),
      equals('offline_after', life.offlineAfter),
      equals('remove_after', life.removeAfter),
    ),
    onConditionFailed: stale,
  };
}

/** Adds processes to a group, or to a new one: their times, their members, and the pointer in each heartbeat. */
async function add(
  table: Table,
  joinedGroup: Group | undefined,
  candidates: readonly Candidate[],
  now: Date,
): Promise<string> {
  const { id, nextSlot, version, times, timesVersion, members } = joinedGroup ?? {
    ...{ id: randomUUID(), nextSlot: 0, version: 0, times: new Map<number, number>(), timesVersion: 0 },
    members: new Map<string, GroupMember>(),
  };
  const joining = candidates.map((candidate, index) => {
    const heartbeatAt = candidate.heartbeat.processes.get(candidate.pmmAgentId)?.at ?? NaN;
    return { ...candidate, slot: nextSlot + index, heartbeatAt };
  });
  const added = joining.map(({ pmmAgentId, contents, heartbeat: { nodeId, life }, slot, heartbeatAt }): GroupMember => {
    return { slot, pmmAgentId, nodeId, digest: digestOf(contents), life, heartbeatAt };
  });
  const next = {
    times: new Map([...times, ...joining.map(({ slot }) => [slot, now.getTime()] as const)]),
    version: timesVersion + 1,
    membersVersion: version + 1,
  };
  await transact(table, [
    {
      update: groupTimesKey(id),
      set: timesAttributes(next),
      condition: joinedGroup === undefined ? ABSENT : equals('version', timesVersion),
      onConditionFailed: stale,
    },
    {
      update: groupMembersKey(id),
      set: membersAttributes({
        version: version + 1,
        nextSlot: nextSlot + joining.length,
        defaults: presentDefaults,
        members: [...members.values(), ...added],
      }),
    },
    ...joining.map((candidate) =>
      pointerStep(candidate, candidate.heartbeatAt, { id, slot: candidate.slot, process: candidate.pmmAgentId }),
    ),
  ]);
  return id;
}

/**
 * Adds processes that a relay reports together to the first group with enough room, or to a new one. An attempt: after
 * concurrent writes they keep their own heartbeats until the next report.
 *
 * @param groupIds the groups of the other hosts in the request; those with most of them first.
 */
export async function joinGroup(
  table: Table,
  candidates: readonly Candidate[],
  groupIds: readonly string[],
  now: Date,
): Promise<void> {
  if (candidates.length < MIN_MEMBERS) return;
  const usable = (await readGroups(table, groupIds)).filter(({ defaults }) => defaults === presentDefaults);
  let group = groupIds
    .flatMap((id) => usable.find((candidate) => candidate.id === id) ?? [])
    .find(({ members }) => members.size + MIN_MEMBERS <= MAX_MEMBERS);
  let rest = candidates;
  try {
    while (rest.length >= MIN_MEMBERS) {
      const room = Math.min(MAX_HEARTBEATS_AT_ONCE, group === undefined ? Infinity : MAX_MEMBERS - group.members.size);
      if (room < MIN_MEMBERS) group = undefined;
      const part = rest.slice(0, room < MIN_MEMBERS ? MAX_HEARTBEATS_AT_ONCE : room);
      rest = rest.slice(part.length);
      const id = await add(table, group, part, now);
      if (rest.length >= MIN_MEMBERS) [group] = await readGroups(table, [id]);
    }
  } catch (error) {
    if (!(error instanceof StaleRead) && !(error instanceof Contention)) throw error;
  }
}
