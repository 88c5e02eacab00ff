import { hash, randomUUID } from 'node:crypto';
import { ABSENT, absent, and, equals, stale } from '../../../shared/db/conditions.ts';
import { Contention, StaleRead } from '../../../shared/db/contention.ts';
import type { Table } from '../../../shared/db/table.ts';
import { transact, type TransactItem } from '../../../shared/db/transact.ts';
import { presentDefaults } from '../../domain/fields/liveness.ts';
import { groupMembersKey, groupTimesKey, heartbeatKey, processAttribute } from '../table/keys.ts';
import { type Group, readGroups } from './group.ts';
import { type GroupMember, membersAttributes, timesAttributes } from './group-items.ts';
import { GROUP, type GroupPointer } from './group-times.ts';
import type { Heartbeat } from './heartbeat.ts';
import { MAX_HEARTBEATS_AT_ONCE } from './leave-group.ts';
import type { ReportContents } from './report.ts';

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

/** Two reports with the same digest say the same about the agents of a process. */
export function digestOf({ agents, reset = false }: ReportContents): string {
  const entries = agents
    .map(
      ({ agent_id: id, status, listen_port: port = null, version = null, status_reason: reason = null }) =>
        [id, status, port, version, reason] as const,
    )
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return entries.length === 0 ? '' : hash('sha256', JSON.stringify([reset, entries]), 'base64url').slice(0, 16);
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
  known: Group | undefined,
  candidates: readonly Candidate[],
  now: Date,
): Promise<string> {
  const { id, nextSlot, version, times, timesVersion, members } = known ?? {
    ...{ id: randomUUID(), nextSlot: 0, version: 0, times: new Map<number, number>(), timesVersion: 0 },
    members: new Map<string, GroupMember>(),
  };
  const joining = candidates.map((one, index) => {
    const heartbeatAt = one.heartbeat.processes.get(one.pmmAgentId)?.at ?? NaN;
    return { ...one, slot: nextSlot + index, heartbeatAt };
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
      condition: known === undefined ? ABSENT : equals('version', timesVersion),
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
    ...joining.map((one) => pointerStep(one, one.heartbeatAt, { id, slot: one.slot, process: one.pmmAgentId })),
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
    .flatMap((id) => usable.find((one) => one.id === id) ?? [])
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
