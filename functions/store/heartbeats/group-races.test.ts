import type { Table } from '../../../shared/db/table.ts';
import { transact } from '../../../shared/db/transact.ts';
import { groupViolations, HEARTBEAT_GROUP } from '../../../tests/consistency/groups.ts';
import { scan } from '../../../tests/consistency/invariants.ts';
import { addAll, node, pmmAgent } from '../../../tests/support/store.ts';
import { withSend } from '../../../tests/support/table.ts';
import { readGroups } from './group.ts';
import { readHeartbeat, readHeartbeats } from './heartbeat.ts';
import { renewalSteps } from './heartbeat-update.ts';
import { leaveGroups } from './group-membership.ts';
import { takeReport } from './report.ts';
import { takeAllWithoutNews } from './relayed-reports.ts';
import { TEST_TIME } from '../../../tests/support/test-time.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();
afterEach(async () => expect(await violations()).toEqual([]));

const START = TEST_TIME;
const at = (minutes: number) => new Date(START + minutes * 60_000);

type Host = Awaited<ReturnType<typeof host>>;

const report = ({ id }: Host, minutes: number, more: object = {}, of: Table = table) =>
  takeReport(of, {
    pmmAgentId: id,
    contents: { agents: [], ...more },
    ...{ scope: undefined, limit: undefined, now: at(minutes) },
  });

/** A host that reported after some minutes. */
async function host(minutes: number) {
  const place = node({ stale_after: '10m', offline_after: '30m' });
  const process = pmmAgent(place);
  await addAll(table, place, process);
  const added = { place, process, id: process.object.agent_id, nodeId: place.object.node_id };
  await report(added, minutes);
  return added;
}

const hosts = (count: number, minutes: number) => Promise.all(Array.from({ length: count }, () => host(minutes)));

/** The reports of a relay. */
async function relay(all: readonly Host[], minutes: number, of: Table = table): Promise<void> {
  const taken = await takeAllWithoutNews(
    of,
    all.map(({ id }) => ({ pmm_agent_id: id, agents: [] })),
    at(minutes),
  );
  for (const member of all) if (!taken.has(member.id)) await report(member, minutes, {}, of);
}

/** Hosts in one group. */
async function groupOf(count: number): Promise<Host[]> {
  const all = await hosts(count, 0);
  await relay(all, 1);
  expect((await groupsOf(all)).size).toBe(1);
  return all;
}

const heartbeatOf = async ({ nodeId }: Host) => (await readHeartbeat(table, nodeId))!;

/** Ids of the groups in which they are. */
const groupsOf = async (all: readonly Host[]) =>
  new Set((await Promise.all(all.map(heartbeatOf))).map(({ group }) => group?.id));

/** Minutes from the start to the last report of each. */
const times = async (all: readonly Host[]) =>
  (await Promise.all(all.map(heartbeatOf))).map(
    ({ processes }, index) => ((processes.get(all[index]!.id)?.at ?? NaN) - START) / 60_000,
  );

async function violations(): Promise<string[]> {
  const items = await scan(table);
  return groupViolations(
    items.filter(({ pk }) => HEARTBEAT_GROUP.test(String(pk))),
    items.filter(({ pk }) => String(pk).startsWith('HEARTBEATS#')),
  );
}

/** The table, with something that happens once, just before the first command that matches. */
function racing(isNext: (command: string, input: any) => boolean, work: () => Promise<unknown>): Table {
  let isDone = false;
  const send = async (command: any) => {
    if (!isDone && isNext(command.constructor.name, command.input)) {
      isDone = true;
      await work();
    }
    return table.client.send(command);
  };
  return withSend(table, send);
}

const beforeTransaction = (work: () => Promise<unknown>) =>
  racing((command, input) => command === 'TransactWriteCommand' && JSON.stringify(input).includes('GROUP#'), work);
const beforeWrite = (work: () => Promise<unknown>) => racing((command) => command === 'UpdateCommand', work);

test('a report of a host is kept when it arrives while the host joins', async () => {
  const all = await hosts(9, 0);
  await relay(
    all,
    1,
    beforeTransaction(() => report(all[0]!, 1.5, { connected: false })),
  );
  const { processes } = await heartbeatOf(all[0]!);
  expect(processes.get(all[0]!.id)).toMatchObject({ at: at(1.5).getTime(), connected: false });
});

test('simultaneous joins by two relays leave each host in one group', async () => {
  const all = await hosts(9, 0);
  await relay(
    all,
    1,
    beforeTransaction(() => relay(all, 1)),
  );
  expect((await groupsOf(all)).size).toBe(1);
});

test('a host whose timers change while it joins has the new ones', async () => {
  const all = await hosts(9, 0);
  const { object } = all[0]!.place;
  await relay(
    all,
    1,
    beforeTransaction(() => transact(table, renewalSteps({ ...object, stale_after: '1m' }))),
  );
  expect((await heartbeatOf(all[0]!)).life.staleAfter).toBe(60);
});

test('hosts join an existing group at their own positions', async () => {
  const first = await groupOf(9);
  const second = await hosts(8, 1);
  await relay([...first, ...second], 2);
  expect((await groupsOf([...first, ...second])).size).toBe(1);
  await relay(second, 7);
  expect(await times(second)).toEqual(second.map(() => 7));
  await relay(first, 8);
  expect(await times([...first, ...second])).toEqual([...first.map(() => 8), ...second.map(() => 7)]);
});

test('times that another relay stores during a join are kept', async () => {
  const first = await groupOf(9);
  const second = await hosts(8, 5);
  await relay(
    [...first, ...second],
    6,
    beforeTransaction(() => relay(first, 11.5)),
  );
  expect(await times(first)).toEqual(first.map(() => 11.5));
});

test('times that a relay stores while a host leaves are kept', async () => {
  const [leaving, ...rest] = (await groupOf(10)) as [Host, ...Host[]];
  await report(
    leaving,
    6,
    { connected: false },
    beforeTransaction(() => relay(rest, 6)),
  );
  expect(await times(rest)).toEqual(rest.map(() => 6));
  expect((await heartbeatOf(leaving)).group).toBeUndefined();
});

test("a host that leaves while its group's times are stored is not added again", async () => {
  const [leaving, ...rest] = (await groupOf(10)) as [Host, ...Host[]];
  await relay(
    [leaving, ...rest],
    6,
    beforeWrite(() => report(leaving, 6, { connected: false })),
  );
  expect(await times(rest)).toEqual(rest.map(() => 6));
  expect((await heartbeatOf(leaving)).group).toBeUndefined();
});

test('a host that joins a group while it reports by itself is not written in it', async () => {
  const all = await hosts(9, 0);
  const relayed = () => relay(all, 1);
  await report(all[0]!, 6, { connected: false }, beforeWrite(relayed));
  const { processes } = await heartbeatOf(all[0]!);
  expect(processes.get(all[0]!.id)).toMatchObject({ at: at(6).getTime(), connected: false });
});

test('hosts that leave between the reads of heartbeats and group show their last report', async () => {
  const all = await groupOf(9);
  await relay(all, 7);
  const nodes = all.map(({ place }) => place);
  const isOfGroup = (_: string, input: any) => JSON.stringify(input).includes('HEARTBEAT_GROUP#');
  const racingTable = racing(isOfGroup, () =>
    leaveGroups(
      table,
      all.map(({ nodeId }) => nodeId),
    ),
  );
  const heartbeats = await readHeartbeats(racingTable, nodes);
  expect(all.map(({ id, nodeId }) => heartbeats.get(nodeId)?.processes.get(id)?.at)).toEqual(
    all.map(() => at(7).getTime()),
  );
});

test('a host that was silent too long is stored alone again', async () => {
  const all = await groupOf(9);
  await relay(all, 12);
  expect(await groupsOf(all)).toEqual(new Set([undefined]));
  expect(await times(all)).toEqual(all.map(() => 12));
});

test('hosts with a repeated lost connection are in no group', async () => {
  const all = await hosts(9, 0);
  for (const member of all) await report(member, 1, { connected: false });
  const again = all.map(({ id }) => ({ pmm_agent_id: id, agents: [], connected: false }));
  expect((await takeAllWithoutNews(table, again, at(2))).size).toBe(all.length);
  expect(await groupsOf(all)).toEqual(new Set([undefined]));
});

test('a group contains only present members, and one with inconsistent items is not used', async () => {
  const [leaving, ...rest] = (await groupOf(10)) as [Host, ...Host[]];
  const id = (await heartbeatOf(leaving)).group?.id ?? '';
  await leaveGroups(table, [leaving.nodeId]);
  const [group] = await readGroups(table, [id]);
  expect(group?.members.has(leaving.id)).toBe(false);
  expect(group?.members.size).toBe(rest.length);
  const torn = withSend(table, async (command: any) => {
    const reply: any = await table.client.send(command);
    for (const item of reply.Responses?.[table.name] ?? [])
      if (item.sk === 'MEMBERS') item.version = Number(item.version) + 1;
    return reply;
  });
  expect(await readGroups(torn, [id])).toEqual([]);
});
