import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod/mini';
import { openEnum } from '../../domain/fields/open-enum.ts';
import type { Item, Table } from '../../../shared/db/table.ts';
import { type Life, lifetimes } from '../../domain/fields/liveness.ts';
import { groupMembersKey, groupTimesKey } from '../table/keys.ts';
import { readItems } from '../table/read.ts';

/** The last report of each slot of a group, in milliseconds since 1970. A slot is never used again. */
export type SlotTimes = ReadonlyMap<number, number>;

export interface GroupTimes {
  /** Increases with each write of the item. */
  version: number;
  /** The version of the members that the times belong to. */
  membersVersion: number;
  times: SlotTimes;
}

/** An agent process in a group. Its heartbeat does not change while it is a member. */
export interface GroupMember {
  slot: number;
  pmmAgentId: string;
  nodeId: string;
  /** The digest of the report that said nothing new when it joined. */
  digest: string;
  life: Life;
  /** The time of the report in its heartbeat, in milliseconds since 1970. */
  heartbeatAt: number;
}

export interface GroupMembers {
  version: number;
  /** The first slot that no member had yet. */
  nextSlot: number;
  /** The defaults of timers with which the lives of the members were computed. */
  defaults: string;
  members: readonly GroupMember[];
}

const pack = (value: unknown): Uint8Array => deflateRawSync(JSON.stringify(value));

const unpack = (bytes: Uint8Array): unknown => JSON.parse(inflateRawSync(bytes).toString());

/** Slots in a row with the same time: the first slot, their number, and milliseconds before the latest time. */
const runsSchema = z.array(z.tuple([z.int(), z.int(), z.int()]));

const timesSchema = z.object({
  version: z.int(),
  members_version: z.int(),
  latest: z.number(),
  runs: z.instanceof(Uint8Array),
});

/** The attributes of the item of the times. After a report of all members it has some 100 bytes, and 4 kB at most. */
export function timesAttributes({ version, membersVersion, times }: GroupTimes): Item {
  const latest = Math.max(0, ...times.values());
  const runs: [number, number, number][] = [];
  for (const [slot, time] of [...times].sort(([left], [right]) => left - right)) {
    const last = runs.at(-1);
    if (last !== undefined && last[0] + last[1] === slot && last[2] === latest - time) last[1] += 1;
    else runs.push([slot, 1, latest - time]);
  }
  return { version, members_version: membersVersion, latest, runs: pack(runs) };
}

export function toGroupTimes(item: Item): GroupTimes {
  const { version, members_version: membersVersion, latest, runs } = z.parse(timesSchema, item);
  const times = new Map<number, number>();
  for (const [first, count, age] of z.parse(runsSchema, unpack(runs)))
    for (let slot = first; slot < first + count; slot += 1) times.set(slot, latest - age);
  return { version, membersVersion, times };
}

const membersSchema = z.object({
  version: z.int(),
  next_slot: z.int(),
  defaults: z.string(),
  members: z.instanceof(Uint8Array),
});

/** The members of a group as columns, which compress better, and the different lives once. */
const columnsSchema = z.object({
  slots: z.array(z.int()),
  processes: z.array(z.string()),
  nodes: z.array(z.string()),
  digests: z.array(z.string()),
  heartbeats: z.array(z.number()),
  lives: z.array(
    z.object({
      lifetime: openEnum(lifetimes),
      staleAfter: z.number(),
      offlineAfter: z.number(),
      removeAfter: z.number(),
    }),
  ),
  life: z.array(z.int()),
});

/** The attributes of the item of the members: some 35 bytes for each. */
export function membersAttributes({ version, nextSlot, defaults, members }: GroupMembers): Item {
  const lives = new Map<string, number>();
  const indexOf = (life: Life) => {
    const text = JSON.stringify(life);
    const position = lives.get(text) ?? lives.size;
    lives.set(text, position);
    return position;
  };
  const columns = {
    slots: members.map(({ slot }) => slot),
    processes: members.map(({ pmmAgentId }) => pmmAgentId),
    nodes: members.map(({ nodeId }) => nodeId),
    digests: members.map(({ digest }) => digest),
    heartbeats: members.map(({ heartbeatAt }) => heartbeatAt),
    life: members.map(({ life }) => indexOf(life)),
    lives: [...lives.keys()].map((text): unknown => JSON.parse(text)),
  };
  return { version, next_slot: nextSlot, defaults, members: pack(columns) };
}

export function toGroupMembers(item: Item): GroupMembers {
  const { version, next_slot: nextSlot, defaults, members } = z.parse(membersSchema, item);
  const { slots, processes, nodes, digests, heartbeats, lives, life } = z.parse(columnsSchema, unpack(members));
  return {
    version,
    nextSlot,
    defaults,
    members: slots.flatMap((slot, index) => {
      const [pmmAgentId, nodeId, digest] = [processes[index], nodes[index], digests[index]];
      const [heartbeatAt, memberLife] = [heartbeats[index], lives[life[index] ?? NaN]];
      if (pmmAgentId === undefined || nodeId === undefined || digest === undefined) return [];
      if (heartbeatAt === undefined || memberLife === undefined) return [];
      return [{ slot, pmmAgentId, nodeId, digest, heartbeatAt, life: memberLife }];
    }),
  };
}

/** A group with those of its members that have not left it. */
export interface Group extends Omit<GroupMembers, 'members'>, Pick<GroupTimes, 'times'> {
  id: string;
  /** The version of the times. */
  timesVersion: number;
  /** By the id of the agent process. */
  members: ReadonlyMap<string, GroupMember>;
}

/**
 * The groups with these ids, strongly consistent: one round of batch reads, some six units for 500 members. A group that
 * changes between the reads of its two items is left out.
 */
export async function readGroups(table: Table, ids: readonly string[]): Promise<Group[]> {
  if (ids.length === 0) return [];
  const keys = ids.flatMap((id) => [groupTimesKey(id), groupMembersKey(id)]);
  const items = await readItems(table, keys);
  return ids.flatMap((id): Group[] => {
    const itemWith = ({ pk, sk }: { pk: string; sk: string }) =>
      items.find((item) => item['pk'] === pk && item['sk'] === sk);
    const [timesItem, membersItem] = [itemWith(groupTimesKey(id)), itemWith(groupMembersKey(id))];
    if (timesItem === undefined || membersItem === undefined) return [];
    const { version: timesVersion, membersVersion, times } = toGroupTimes(timesItem);
    const { members, ...rest } = toGroupMembers(membersItem);
    if (rest.version !== membersVersion) return [];
    const present = members.filter(({ slot }) => times.has(slot));
    return [
      { ...rest, id, times, timesVersion, members: new Map(present.map((member) => [member.pmmAgentId, member])) },
    ];
  });
}
