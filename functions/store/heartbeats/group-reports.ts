import { equals } from '../../../shared/db/conditions.ts';
import { retryOnContention, StaleRead } from '../../../shared/db/contention.ts';
import { writeItem } from '../../../shared/db/item-writes.ts';
import type { Table } from '../../../shared/db/table.ts';
import { lastsUntilNextReport, presentDefaults } from '../../domain/fields/liveness.ts';
import { groupTimesKey } from '../table/keys.ts';
import { type Group, readGroups } from './group.ts';
import { type GroupMember, timesAttributes } from './group-items.ts';
import { digestOf } from './join-group.ts';
import type { ReportContents } from './report.ts';

/**
 * After this time the report of a member is stored in its heartbeat again. Only then the service notices agents under
 * the process that were removed, and an earlier version, which knows no groups, sees the node.
 */
const MAX_MEMBERSHIP_MS = 86_400_000;

const membershipMs = ({ lifetime, removeAfter }: GroupMember['life']) =>
  lifetime === 'ephemeral' ? Math.min(MAX_MEMBERSHIP_MS, (removeAfter * 1000) / 2) : MAX_MEMBERSHIP_MS;

/** A report that says nothing new, of a member. */
interface QuietReport {
  member: GroupMember;
  /** The time of the stored report, in milliseconds since 1970. */
  at: number;
  /** The number of agents in the report. */
  taken: number;
}

export interface GroupResult {
  quiet: QuietReport[];
  /** Members whose report must be stored in their heartbeat. */
  leaving: GroupMember[];
}

/**
 * Whether the report says what the member said when it joined, and the member is still live by its last report. A report
 * of a lost or a new connection is always stored by itself.
 */
function isQuiet(group: Group, member: GroupMember, contents: ReportContents, now: Date): boolean {
  const { slot, digest, life, heartbeatAt } = member;
  const ageMs = now.getTime() - (group.times.get(slot) ?? NaN);
  const isLive = ageMs >= 0 && ageMs < life.staleAfter * 1000;
  const saysTheSame = contents.agents.length === 0 || digestOf(contents) === digest;
  const isRenewed = now.getTime() - heartbeatAt < membershipMs(life);
  return isLive && saysTheSame && contents.connected === undefined && isRenewed && group.defaults === presentDefaults;
}

/** Stores the time of these reports, if one of them needs it: one write for all. */
async function storeTimes(
  table: Table,
  group: Group,
  quiet: readonly QuietReport[],
  now: Date,
): Promise<QuietReport[]> {
  const nowMs = now.getTime();
  if (quiet.every(({ member, at }) => lastsUntilNextReport(nowMs - at, member.life))) return [...quiet];
  const stored = quiet.map((report) => ({ ...report, at: Math.max(report.at, nowMs) }));
  const times = new Map([...group.times, ...stored.map(({ member, at }) => [member.slot, at] as const)]);
  const { refusal } = await writeItem(table, {
    update: groupTimesKey(group.id),
    set: timesAttributes({ version: group.timesVersion + 1, membersVersion: group.version, times }),
    condition: equals('version', group.timesVersion),
  });
  if (refusal !== undefined) throw new StaleRead();
  return stored;
}

/**
 * Takes the reports of members of a group that say nothing new. No call of the table if the stored times last until the
 * next report, else one write.
 *
 * @param reports the contents by the id of the agent process; those of other processes are left out of the result.
 */
export async function takeInGroup(
  table: Table,
  known: Group,
  reports: ReadonlyMap<string, ReportContents>,
  now: Date,
): Promise<GroupResult> {
  let first: Group | undefined = known;
  return retryOnContention(table, async () => {
    const group = first ?? (await readGroups(table, [known.id])).at(0);
    first = undefined;
    if (group === undefined) return { quiet: [], leaving: [] };
    const quiet: QuietReport[] = [];
    const leaving: GroupMember[] = [];
    for (const [pmmAgentId, contents] of reports) {
      const member = group.members.get(pmmAgentId);
      if (member === undefined) continue;
      const at = group.times.get(member.slot) ?? NaN;
      if (isQuiet(group, member, contents, now)) quiet.push({ member, at, taken: contents.agents.length });
      else leaving.push(member);
    }
    return { quiet: await storeTimes(table, group, quiet, now), leaving };
  });
}
