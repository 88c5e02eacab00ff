import { groupMembersKey, groupTimesKey } from '../table/keys.ts';
import type { Table } from '../../../shared/db/table.ts';
import { readItems } from '../table/read.ts';
import { type GroupMember, type GroupMembers, type GroupTimes, toGroupMembers, toGroupTimes } from './group-items.ts';

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
      items.find((one) => one['pk'] === pk && one['sk'] === sk);
    const [timesItem, membersItem] = [itemWith(groupTimesKey(id)), itemWith(groupMembersKey(id))];
    if (timesItem === undefined || membersItem === undefined) return [];
    const { version: timesVersion, membersVersion, times } = toGroupTimes(timesItem);
    const { members, ...rest } = toGroupMembers(membersItem);
    if (rest.version !== membersVersion) return [];
    const present = members.filter(({ slot }) => times.has(slot));
    return [{ ...rest, id, times, timesVersion, members: new Map(present.map((one) => [one.pmmAgentId, one])) }];
  });
}
