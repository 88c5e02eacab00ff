import { randomUUID } from 'node:crypto';
import { addAll, node, pmmAgent } from '../../../tests/support/store.ts';
import { disturbed, putItem, withSend } from '../../../tests/support/table.ts';
import { presentDefaults } from '../../domain/fields/liveness.ts';
import { groupMembersKey, groupTimesKey } from '../table/keys.ts';
import { type GroupMember, membersAttributes, readGroups, timesAttributes } from './group.ts';
import { readHeartbeat } from './heartbeat.ts';
import { type Candidate, joinGroup, leaveGroups } from './group-membership.ts';
import { digestOf } from './stored-report.ts';
import { takeReport } from './report.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

const START = new Date('2026-05-01T10:00:00Z');
const LATER = new Date(START.getTime() + 60_000);

const report = (pmmAgentId: string, now: Date) =>
  takeReport(table, { pmmAgentId, contents: { agents: [] }, scope: undefined, limit: undefined, now });

/** A host that has reported for itself. */
async function candidate(): Promise<Candidate> {
  const place = node();
  const process = pmmAgent(place);
  await addAll(table, place, process);
  const { agent_id: pmmAgentId } = process.object;
  await report(pmmAgentId, START);
  return { pmmAgentId, contents: { agents: [] }, heartbeat: (await readHeartbeat(table, place.object.node_id))! };
}

const candidates = (count: number) => Promise.all(Array.from({ length: count }, candidate));

/** A group with this number of other members. */
async function group(size: number, defaults = presentDefaults): Promise<string> {
  const [id, { heartbeat }] = [randomUUID(), await candidate()];
  const members = Array.from({ length: size }, (_, slot): GroupMember => {
    const ids = { pmmAgentId: randomUUID(), nodeId: randomUUID() };
    return { slot, ...ids, digest: '', life: heartbeat.life, heartbeatAt: START.getTime() };
  });
  const times = new Map(members.map(({ slot }) => [slot, START.getTime()]));
  await putItem(table, { ...groupTimesKey(id), ...timesAttributes({ version: 1, membersVersion: 1, times }) });
  await putItem(table, {
    ...groupMembersKey(id),
    ...membersAttributes({ version: 1, nextSlot: size, defaults, members }),
  });
  return id;
}

const sizeOf = async (id: string) => (await readGroups(table, [id]))[0]?.members.size;

/** The number of these hosts in each group; those that report for themselves are in `own`. */
async function placesOf(hosts: readonly Candidate[]): Promise<Record<string, number>> {
  const heartbeats = await Promise.all(hosts.map(({ heartbeat }) => readHeartbeat(table, heartbeat.nodeId)));
  const byGroup = Map.groupBy(heartbeats, (heartbeat) => heartbeat?.group?.id ?? 'own');
  return Object.fromEntries([...byGroup].map(([id, members]) => [id, members.length]));
}

/** The hosts join, with these groups to choose from. */
async function join(hosts: readonly Candidate[], groupIds: readonly string[], of = table) {
  await joinGroup(of, hosts, groupIds, LATER);
  return placesOf(hosts);
}

test('a group needs at least eight hosts', async () => {
  expect(await join(await candidates(7), [])).toEqual({ own: 7 });
  expect(Object.values(await join(await candidates(8), []))).toEqual([8]);
});

test('members have the time of their report at the join', async () => {
  const hosts = await candidates(8);
  const [id = ''] = Object.keys(await join(hosts, []));
  const [joined] = await readGroups(table, [id]);
  expect([...joined!.members.keys()].sort()).toEqual(hosts.map(({ pmmAgentId }) => pmmAgentId).sort());
  expect([...joined!.times.values()]).toEqual(hosts.map(() => LATER.getTime()));
});

test('the first members of a group have its first slots and versions', async () => {
  const [id = ''] = Object.keys(await join(await candidates(8), []));
  const [joined] = await readGroups(table, [id]);
  expect(joined).toMatchObject({ version: 1, timesVersion: 1, nextSlot: 8 });
  expect([...joined!.times.keys()]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

test('a join counts as one version of the members and of the times', async () => {
  const id = await group(9);
  await join(await candidates(8), [id]);
  expect(await readGroups(table, [id])).toMatchObject([{ version: 2, timesVersion: 2 }]);
});

test('a leave counts as one version of the times, whose former version ends every write that has read it', async () => {
  const hosts = await candidates(9);
  const [id = ''] = Object.keys(await join(hosts, []));
  const versionOf = async () => (await readGroups(table, [id]))[0]!.timesVersion;
  const before = await versionOf();
  await leaveGroups(table, [hosts[0]!.heartbeat.nodeId]);
  expect(await versionOf()).toBe(before + 1);
});

describe('a group has 500 members at most', () => {
  test('takes eight hosts at 492, but not at 493', async () => {
    const [full, fitting] = [await group(493), await group(492)];
    expect(await join(await candidates(8), [full, fitting])).toEqual({ [fitting]: 8 });
    expect([await sizeOf(full), await sizeOf(fitting)]).toEqual([493, 500]);
    const [other = '', ...more] = Object.keys(await join(await candidates(8), [full]));
    expect([more, await sizeOf(other), await sizeOf(full)]).toEqual([[], 8, 493]);
  });

  test('leaves further hosts to another group, or to their own reports if they are too few', async () => {
    const [first, second] = [await group(492), await group(492)];
    expect(await join(await candidates(15), [first])).toEqual({ [first]: 8, own: 7 });
    const { [second]: joined, ...others } = await join(await candidates(16), [second]);
    expect([joined, Object.values(others)]).toEqual([8, [8]]);
    expect([await sizeOf(first), await sizeOf(second)]).toEqual([500, 500]);
  });
});

test('more hosts than a transaction can contain join one group and leave it, 90 at a time', async () => {
  const hosts = await candidates(98);
  const sizes: number[] = [];
  const counted = withSend(table, (command) => {
    if (command.constructor.name === 'TransactWriteCommand') sizes.push(command.input.TransactItems.length);
    return table.client.send(command);
  });
  const [[id, count]] = Object.entries(await join(hosts, [], counted)) as [[string, number]];
  expect([count, await sizeOf(id)]).toEqual([98, 98]);
  await leaveGroups(
    counted,
    hosts.map(({ heartbeat }) => heartbeat.nodeId),
  );
  expect([await placesOf(hosts), await sizeOf(id)]).toEqual([{ own: 98 }, undefined]);
  // With the times and the members of the group, or the times alone if others stay in it.
  expect(sizes).toEqual([90 + 2, 8 + 2, 90 + 1, 8 + 2]);
});

test('hosts join the first group with room, if its members have the present default timers', async () => {
  const [old, first, second] = [await group(20, 'other timers'), await group(20), await group(20)];
  expect(await join(await candidates(8), [old, first, second])).toEqual({ [first]: 8 });
  expect(await join(await candidates(8), [second, first])).toEqual({ [second]: 8 });
  expect(await join(await candidates(8), ['gone', second])).toEqual({ [second]: 8 });
});

test('a simultaneous report refuses the whole attempt', async () => {
  const hosts = await candidates(8);
  const id = await group(20);
  const meanwhile = () => report(hosts[3]!.pmmAgentId, new Date(LATER.getTime() + 60 * 60_000));
  expect(await join(hosts, [id], disturbed(table, meanwhile))).toEqual({ own: 8 });
  expect(await sizeOf(id)).toBe(20);
});

test('a table error that is no concurrent change is returned', async () => {
  const hosts = await candidates(8);
  const broken = disturbed(table, () => Promise.reject(new Error('gone')));
  await expect(join(hosts, [], broken)).rejects.toThrow();
});

test('reports that differ only in order have one digest, others differ', () => {
  const running = { agent_id: 'a', status: 'running' } as const;
  const other = { agent_id: 'b', status: 'waiting' } as const;
  expect(digestOf({ agents: [running, other] })).toBe(digestOf({ agents: [other, running] }));
  const reports = [
    { agents: [] },
    { agents: [running] },
    { agents: [running], reset: true },
    { agents: [{ ...running, status: 'waiting' as const }] },
    { agents: [{ ...running, listen_port: 1 }] },
    { agents: [{ ...running, version: '2' }] },
    { agents: [{ ...running, status_reason: 'x' }] },
    { agents: [running, other] },
  ];
  expect(new Set(reports.map(digestOf)).size).toBe(reports.length);
  expect(digestOf({ agents: [] })).toBe('');
});
