import type { Table } from '../../../shared/db/table.ts';
import { addAll, contextOf, exporter, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { disturbed, itemAt, putItem } from '../../../tests/support/table.ts';
import { heartbeatKey } from '../table/keys.ts';
import { readHeartbeat } from './heartbeat.ts';
import { stateOfNode } from './shown-state.ts';
import { statusSince } from './status-history.ts';
import { takeAllWithoutNews } from './relayed-reports.ts';
import { changeObject } from '../inventory/entities.ts';
import { removeObject } from '../inventory/remove.ts';
import type { ReportContents, ReportEntry } from './stored-report.ts';
import { takeReport } from './report.ts';
import { TEST_TIME, testTime } from '../../../tests/support/test-time.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

const START = TEST_TIME;
const MINUTE = 60_000;

/** A host with an agent process and two agents under it. */
async function host() {
  const place = node({ stale_after: '5m', offline_after: '15m' });
  const process = pmmAgent(place);
  const target = service([place]);
  const [first, second] = [exporter(process, [target]), exporter(process, [target])];
  await addAll(table, place, target, process, first, second);
  const pmmAgentId = process.object.agent_id;
  const report = (
    entries: readonly ReportEntry[],
    after = 0,
    { at = table, scope, ...more }: { at?: Table; scope?: string } & Omit<ReportContents, 'agents'> = {},
  ) =>
    takeReport(at, {
      pmmAgentId,
      contents: { agents: entries, ...more },
      scope,
      limit: undefined,
      now: new Date(START + after),
    });
  const agents = (taken: Awaited<ReturnType<typeof report>>) => taken.heartbeat.processes.get(pmmAgentId)?.agents;
  return {
    nodeId: place.object.node_id,
    pmmAgentId,
    a: first.object.agent_id,
    b: second.object.agent_id,
    report,
    agents,
  };
}

const entry = (agent_id: string, status: ReportEntry['status'], more: Partial<ReportEntry> = {}): ReportEntry => ({
  agent_id,
  status,
  ...more,
});

test('a report contains the status of agents, and absent agents keep theirs', async () => {
  const { a, b, report, agents, pmmAgentId } = await host();
  const first = await report([entry(a, 'running', { listen_port: 7, version: '1' }), entry(b, 'waiting')]);
  expect([first.taken, first.refused]).toEqual([2, []]);
  expect(agents(first)).toEqual({ [a]: ['running', 7, '1'], [b]: ['waiting', null, null] });
  const second = await report([entry(a, 'stopping')], 1);
  expect(second.taken).toBe(1);
  expect(agents(second)).toEqual({ [a]: ['stopping', null, null], [b]: ['waiting', null, null] });
  expect(second.heartbeat.processes.get(pmmAgentId)?.at).toBe(START + 1);
});

test('an entry of a process about itself stores its version, which other reports keep', async () => {
  const { a, b, report, pmmAgentId } = await host();
  const versionIn = ({ heartbeat }: Awaited<ReturnType<typeof report>>) => heartbeat.processes.get(pmmAgentId)?.version;
  const first = await report([entry(pmmAgentId, 'running', { version: '3.5.0' }), entry(a, 'running')]);
  expect([versionIn(first), first.taken]).toEqual(['3.5.0', 2]);
  expect(versionIn(await report([entry(b, 'running')], 1))).toBe('3.5.0');
  expect(versionIn(await report([entry(pmmAgentId, 'running', { status_reason: 'Twice.' })], 2))).toBe('3.5.0');
  const upgraded = await report([entry(pmmAgentId, 'running', { version: '3.6.0' })], 3);
  expect([versionIn(upgraded), upgraded.hasNews]).toEqual(['3.6.0', true]);
});

test('a stored report has the time since which each agent has its status', async () => {
  const { a, b, report, pmmAgentId } = await host();
  await report([entry(a, 'running'), entry(b, 'running')]);
  const { heartbeat } = await report([entry(b, 'waiting')], MINUTE);
  const stored = heartbeat.processes.get(pmmAgentId)!;
  expect([statusSince(stored, a), statusSince(stored, b)]).toEqual([START, START + MINUTE]);
});

test('a restarted process may report any agent status in that report', async () => {
  const { a, b, report, agents } = await host();
  await report([entry(a, 'running'), entry(b, 'running')]);
  expect((await report([entry(a, 'starting')], 1)).refused).toMatchObject([{ reason: 'impossible_transition' }]);
  const anew = await report([entry(a, 'starting')], 2, { reset: true });
  expect(anew.refused).toEqual([]);
  expect(agents(anew)).toMatchObject({ [a]: ['starting', null, null], [b]: ['running', null, null] });
  expect((await report([entry(b, 'starting')], 3)).refused).toMatchObject([{ reason: 'impossible_transition' }]);
});

test("a reason stays until its agent's next entry, and does not change the form for former versions", async () => {
  const { a, b, report, agents, pmmAgentId } = await host();
  const reasonsIn = (taken: Awaited<ReturnType<typeof report>>) => taken.heartbeat.processes.get(pmmAgentId)?.reasons;
  const waiting = entry(a, 'waiting', { status_reason: 'No password file.' });
  const first = await report([waiting, entry(b, 'running')]);
  expect([agents(first)?.[a], reasonsIn(first)]).toEqual([['waiting', null, null], { [a]: 'No password file.' }]);
  expect((await report([waiting], 1)).hasNews).toBe(false);
  expect(reasonsIn(await report([entry(b, 'waiting', { status_reason: 'B.' })], 2))).toEqual({
    [a]: 'No password file.',
    [b]: 'B.',
  });
  expect(await report([{ ...waiting, status_reason: 'Another.' }], 3)).toMatchObject({ hasNews: true });
  await report([entry(a, 'waiting')], 4);
  expect(reasonsIn(await report([entry(b, 'waiting')], 5))).toBeUndefined();
});

test('an entry of a process about itself is a reason without a status, until its next entry or connection', async () => {
  const { a, report, agents, pmmAgentId } = await host();
  const reasons = (taken: Awaited<ReturnType<typeof report>>) => taken.heartbeat.processes.get(pmmAgentId)?.reasons;
  const ownEntry = (more: Partial<ReportEntry> = {}) => [entry(pmmAgentId, 'running', more)];
  const first = await report([entry(a, 'waiting', { status_reason: 'x' }), ...ownEntry({ status_reason: 'twice' })]);
  expect([first.taken, first.refused]).toEqual([2, []]);
  // Former versions read `agents` as those under the process.
  expect([agents(first), reasons(first)]).toEqual([
    { [a]: ['waiting', null, null] },
    { [a]: 'x', [pmmAgentId]: 'twice' },
  ]);
  expect(reasons(await report([entry(a, 'starting')], MINUTE))).toEqual({ [pmmAgentId]: 'twice' });
  expect(reasons(await report([], MINUTE, { connected: false }))).toEqual({ [pmmAgentId]: 'twice' });
  expect(reasons(await report(ownEntry(), 2 * MINUTE))).toBeUndefined();
  await report(ownEntry({ status_reason: 'twice' }), 3 * MINUTE);
  const now = new Date(START + 3 * MINUTE);
  const again = await takeAllWithoutNews(table, [{ pmm_agent_id: pmmAgentId, agents: ownEntry() }], now);
  expect(again.size).toBe(0);
  expect((await takeAllWithoutNews(table, [{ pmm_agent_id: pmmAgentId, agents: [] }], now)).size).toBe(1);
  expect(reasons(await report([], 3 * MINUTE, { connected: true }))).toBeUndefined();
});

test('a process that lost its connection is stale at once, and offline after its time', async () => {
  const { report } = await host();
  await report([]);
  const lost = await report([], 1, { connected: false });
  const stateAt = (after: number) => stateOfNode(lost.heartbeat, new Date(START + after));
  expect(lost.hasNews).toBe(true);
  expect([stateAt(1), stateAt(5 * MINUTE), stateAt(15 * MINUTE + 1)]).toEqual(['stale', 'stale', 'offline']);
  // A repetition is no news, but the return is.
  expect((await report([], 2, { connected: false })).hasNews).toBe(false);
  const back = await report([], 3);
  expect([back.hasNews, stateOfNode(back.heartbeat, new Date(START + 3))]).toEqual([true, 'live']);
});

test("a lost connection has the time of its process's last sign of life, not before the stored report", async () => {
  const { report } = await host();
  await report([], MINUTE);
  const lost = { connected: false, silent_seconds: 30 };
  const atOf = ({ heartbeat }: Awaited<ReturnType<typeof report>>) => [...heartbeat.processes.values()][0]?.at;
  expect(atOf(await report([], 2 * MINUTE, lost))).toBe(START + 1.5 * MINUTE);
  await report([], 3 * MINUTE);
  expect(atOf(await report([], 3 * MINUTE + 10, lost))).toBe(START + 3 * MINUTE + 1);
  expect(atOf(await report([], 4 * MINUTE, { silent_seconds: 30 }))).toBe(START + 4 * MINUTE);
});

test('a report without news is stored when the stored one is older than half of stale_after', async () => {
  const { a, b, report, agents, pmmAgentId } = await host();
  const entries = [entry(a, 'running'), entry(b, 'running')];
  await report(entries);
  for (const [after, stored] of [
    [2.5 * MINUTE - 1, 0],
    [2.5 * MINUTE, 2.5 * MINUTE],
    [5 * MINUTE - 1, 2.5 * MINUTE],
    [5 * MINUTE, 5 * MINUTE],
    // A clock that is behind the one of the stored report repairs it.
    [4 * MINUTE, 4 * MINUTE],
  ] as const)
    for (const said of [entries, entries.slice(1), []]) {
      const taken = await report(said, after);
      expect([taken.taken, taken.refused]).toEqual([said.length, []]);
      expect(agents(taken)).toEqual({ [a]: ['running', null, null], [b]: ['running', null, null] });
      expect([after, taken.heartbeat.processes.get(pmmAgentId)?.at]).toEqual([after, START + stored]);
    }
});

test('a removed agent is refused at once, and leaves the stored report', async () => {
  const { a, b, report, agents } = await host();
  const entries = [entry(a, 'running'), entry(b, 'running')];
  await report(entries);
  await removeObject(table, 'agent', a, { force: false, ifMatch: undefined, writeContext: contextOf() });
  const taken = await report(entries, 1);
  expect(taken).toMatchObject({ taken: 1, refused: [{ agent_id: a, reason: 'not_found' }] });
  expect(Object.keys(agents(taken)!)).toEqual([b]);
});

test('an agent of another process is refused, with at most 36 characters of its id', async () => {
  const { a, report, agents } = await host();
  const other = 'x'.repeat(40);
  for (const after of [0, 1]) {
    const taken = await report([entry(other, 'running'), entry(a, 'running')], after);
    expect(taken).toMatchObject({ taken: 1, refused: [{ agent_id: other, reason: 'not_found' }] });
    expect(taken.refused[0]!.message).toContain(`"${'x'.repeat(36)}"`);
    expect(Object.keys(agents(taken)!)).toEqual([a]);
  }
});

test('an impossible transition is refused and changes nothing', async () => {
  const { a, report, agents } = await host();
  await report([entry(a, 'running')]);
  const taken = await report([entry(a, 'done')], 1);
  expect(taken).toMatchObject({
    ...{ taken: 0, refused: [{ agent_id: a, reason: 'impossible_transition' }], hasNews: true },
  });
  expect(taken.refused[0]!.message).toBe('Cannot be done after running. Allowed: waiting, stopping.');
  expect(agents(taken)).toEqual({ [a]: ['running', null, null] });
});

test('the status unknown is never accepted', async () => {
  const { a, report } = await host();
  expect(await report([entry(a, 'unknown')])).toMatchObject({ taken: 0, refused: [{ agent_id: a }] });
});

test('without an earlier report the former status is unknown, also for a done agent', async () => {
  const { a, report } = await host();
  await changeObject(table, { kind: 'agent', id: a, ifMatch: undefined, writeContext: contextOf() }, (old) => ({
    ...old,
    status: 'done',
  }));
  const { refused } = await report([entry(a, 'unknown')], MINUTE);
  expect(refused[0]?.message).toBe(
    'Cannot be unknown after unknown. Allowed: starting, running, waiting, stopping, done.',
  );
});

test('any status may follow when the process was offline, but not when it was stale', async () => {
  const { a, report } = await host();
  await report([entry(a, 'running')]);
  expect((await report([entry(a, 'done')], 15 * MINUTE - 1)).taken).toBe(0);
  expect((await report([entry(a, 'done')], 30 * MINUTE - 1)).taken).toBe(1);
});

test('a disabled agent is done, whatever is reported, and starts when it is enabled', async () => {
  const { a, report, agents } = await host();
  await report([entry(a, 'running')]);
  const disable = (disabled: boolean, status: string) =>
    changeObject(table, { kind: 'agent', id: a, ifMatch: undefined, writeContext: contextOf() }, (old) => ({
      ...old,
      disabled,
      status,
    }));
  await disable(true, 'done');
  const disabled = await report([entry(a, 'starting')], 1);
  expect([disabled.taken, agents(disabled)]).toEqual([1, { [a]: ['done', null, null] }]);
  await disable(false, 'done');
  expect((await report([entry(a, 'starting')], 2)).taken).toBe(1);
});

test('an agent that was enabled since the last report may start, although it was running', async () => {
  const { a, report } = await host();
  await report([entry(a, 'running')], -MINUTE);
  await changeObject(table, { kind: 'agent', id: a, ifMatch: undefined, writeContext: contextOf() }, (old) => ({
    ...old,
    status: 'done',
  }));
  expect((await report([entry(a, 'starting')], MINUTE)).taken).toBe(1);
  // From then on, the reports decide.
  expect((await report([entry(a, 'done')], 2 * MINUTE)).taken).toBe(0);
});

test('of three reports within a millisecond, the one that read the first does not replace the second', async () => {
  const { a, report, agents, pmmAgentId } = await host();
  await report([entry(a, 'starting')]);
  const at = disturbed(table, () => report([entry(a, 'running')]));
  // That of a new connection is always stored.
  const last = await report([], 0, { at, connected: true });
  expect(agents(last)).toEqual({ [a]: ['running', null, null] });
  expect(last.heartbeat.processes.get(pmmAgentId)?.at).toBe(START + 2);
});

test('the stored time recovers from a clock that was far ahead', async () => {
  const { a, report, pmmAgentId } = await host();
  await report([entry(a, 'starting')], 10 * MINUTE);
  expect((await report([entry(a, 'running')])).heartbeat.processes.get(pmmAgentId)?.at).toBe(START);
});

test('a concurrent report is read again', async () => {
  const { a, b, report, agents } = await host();
  await report([entry(a, 'starting')]);
  const at = disturbed(table, () => report([entry(b, 'running')], 1));
  const taken = await report([entry(a, 'running')], 2, { at });
  expect(agents(taken)).toEqual({ [a]: ['running', null, null], [b]: ['running', null, null] });
});

test('a report during a change of owner is stored as before the change, and the next one is refused', async () => {
  const place = node();
  const process = pmmAgent(place, { custom_labels: { team: 'a' } });
  await addAll(table, place, process);
  const { agent_id: pmmAgentId } = process.object;
  const limit = { label: 'team', owners: ['a'] };
  const report = (at: Table, after: number) =>
    takeReport(at, { pmmAgentId, contents: { agents: [] }, scope: undefined, limit, now: new Date(START + after) });
  const give = () =>
    changeObject(table, { kind: 'agent', id: pmmAgentId, ifMatch: undefined, writeContext: contextOf() }, (old) => ({
      ...old,
      custom_labels: { team: 'b' },
    }));
  const { heartbeat } = await report(disturbed(table, give), 0);
  const stored = async () => (await readHeartbeat(table, place.object.node_id))?.processes.get(pmmAgentId);
  expect([heartbeat.processes.get(pmmAgentId), await stored()]).toEqual([
    { at: START, agents: {}, history: [START, 1] },
    { at: START, agents: {}, history: [START, 1] },
  ]);
  await expect(report(table, MINUTE)).rejects.toMatchObject({ kind: 'permissionDenied' });
  expect(await stored()).toEqual({ at: START, agents: {}, history: [START, 1] });
});

describe('after an upgrade from a version with other default timers', () => {
  /** The heartbeat item as the versions with the defaults 5m and 15m wrote it; the process has reported. */
  async function formerHost(timers: Record<string, string>) {
    const place = node(timers);
    const process = pmmAgent(place);
    await addAll(table, place, process);
    const [nodeId, pmmAgentId] = [place.object.node_id, process.object.agent_id];
    const report = (at: Table = table) =>
      takeReport(at, {
        pmmAgentId,
        contents: { agents: [] },
        scope: undefined,
        limit: undefined,
        now: new Date(START),
      });
    await report();
    const { defaults: _, ...item } = (await itemAt(table, heartbeatKey(nodeId)))!;
    await putItem(table, { ...item, ...heartbeatKey(nodeId), stale_after: 300, offline_after: 900 });
    const change = (fields: object) =>
      changeObject(table, { kind: 'node', id: nodeId, ifMatch: undefined, writeContext: contextOf() }, (old) => ({
        ...old,
        ...fields,
      }));
    const life = async () => (await readHeartbeat(table, nodeId))!.life;
    return { pmmAgentId, report, change, life };
  }
  const present = { staleAfter: 600, offlineAfter: 1800 };

  test('the next report gives the node the present defaults, also without news', async () => {
    const { report, life } = await formerHost({});
    expect(await report()).toMatchObject({ heartbeat: { life: present }, hasNews: false });
    expect(await life()).toMatchObject(present);
  });

  test('the next report takes the node out of its group before its timers are written', async () => {
    const hosts = await Promise.all(Array.from({ length: 8 }, host));
    const later = new Date(START + MINUTE);
    for (const { report } of hosts) await report([]);
    await takeAllWithoutNews(
      table,
      hosts.map(({ pmmAgentId }) => ({ pmm_agent_id: pmmAgentId, agents: [] })),
      later,
    );
    const [{ nodeId, pmmAgentId, report }] = hosts as [Awaited<ReturnType<typeof host>>];
    const { defaults: _, ...item } = (await itemAt(table, heartbeatKey(nodeId)))!;
    await putItem(table, { ...item, ...heartbeatKey(nodeId) });
    const inGroup = (await readHeartbeat(table, nodeId))!;
    expect([inGroup.group === undefined, inGroup.isOutdated]).toEqual([false, true]);
    await report([], MINUTE);
    const heartbeat = (await readHeartbeat(table, nodeId))!;
    expect([heartbeat.group, heartbeat.isOutdated]).toEqual([undefined, false]);
    expect(heartbeat.processes.get(pmmAgentId)?.at).toBe(later.getTime());
  });

  test("a relay's report does too", async () => {
    const { pmmAgentId } = await formerHost({});
    const taken = await takeAllWithoutNews(table, [{ pmm_agent_id: pmmAgentId, agents: [] }], new Date(START));
    expect(taken).toEqual(new Map());
  });

  test('stated timers stay, also if they equal the former defaults', async () => {
    const { report, life } = await formerHost({ stale_after: '5m', offline_after: '15m' });
    await report();
    expect(await life()).toMatchObject({ staleAfter: 300, offlineAfter: 900 });
  });

  test('a change to the present default takes effect at once', async () => {
    const { change, life } = await formerHost({});
    await change({ stale_after: '10m' });
    expect(await life()).toMatchObject(present);
  });

  test('a change between the read and the renewal of the node is not overwritten', async () => {
    const { report, change, life } = await formerHost({});
    await report(disturbed(table, () => change({ stale_after: '1m' })));
    expect(await life()).toMatchObject({ staleAfter: 60, offlineAfter: 1800 });
  });
});

test('reports require an agent process inside the scope', async () => {
  const { a, nodeId, pmmAgentId, report } = await host();
  const of = (id: string) =>
    takeReport(table, {
      pmmAgentId: id,
      contents: { agents: [] },
      scope: undefined,
      limit: undefined,
      now: testTime(),
    });
  await expect(of('missing')).rejects.toMatchObject({ kind: 'notFound' });
  await expect(of(a)).rejects.toMatchObject({ kind: 'failedPrecondition' });
  await expect(report([], 0, { scope: 'another' })).rejects.toMatchObject({ kind: 'permissionDenied' });
  await expect(report([], 0, { scope: nodeId })).resolves.toMatchObject({ taken: 0 });
  const remove = () =>
    removeObject(table, 'agent', pmmAgentId, { force: true, ifMatch: undefined, writeContext: contextOf() });
  await expect(report([], 3 * MINUTE, { at: disturbed(table, remove) })).rejects.toMatchObject({ kind: 'notFound' });
});
