import type { Table } from '../../../shared/db/table.ts';
import { TableFault } from '../../../shared/db/table-fault.ts';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { MAX_COUNTED_VALUES, MAX_COUNTED_ZONES } from '../../domain/records/summary.ts';
import { meter } from '../../../tests/costs/meter.ts';
import { reportOf } from '../../../tests/support/report.ts';
import { addAll, contextOf, exporter, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { startEngine } from '../../../local/engine/engine.ts';
import { ensureTable } from '../../../local/engine/table.ts';
import { idOf } from '../entities/entity.ts';
import { keepReconciliation, noteProgress } from '../jobs/reconciliations.ts';
import { takeReport } from '../heartbeats/report.ts';
import { jobKey } from '../table/keys.ts';
import { addSilence, removeSilence } from '../silences/change-silences.ts';
import { countPart, newCount, type Progress } from './count.ts';
import { countChanges } from './changes.ts';
import { readFindings } from './findings.ts';
import { readJobStatuses } from './jobs.ts';
import { readKept } from './kept-summary.ts';
import { getSummary } from './summary.ts';
import { Counter, resultOf } from './tally.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { withSend } from '../../../tests/support/table.ts';

let table: Table;
let stop: () => Promise<void>;
const now = testTime();
const later = (seconds: number) => () => new Date(now.getTime() + seconds * 1000);

beforeAll(async () => {
  const engine = await startEngine({ environment: process.env });
  table = engine.open('summary');
  stop = () => engine.stop();
  await ensureTable(table);
  for (let index = 0; index < 6; index += 1) {
    const place = node({ region: `r${index % 2}`, address: `10.0.0.${index}` });
    const process = pmmAgent(place);
    const target = service([place], { cluster: `c${index % 3}` });
    await addAll(table, place, process, target, exporter(process, [target]));
    if (index % 2 === 0) await reportOf(table, process, now);
  }
});
afterAll(() => stop());

async function counted(limits: { objects: number; heartbeats: number }) {
  let progress: Progress = newCount(now);
  for (let parts = 1; ; parts += 1) {
    // Between two parts, the progress is stored.
    progress = JSON.parse(JSON.stringify(progress)) as Progress;
    const part = await countPart(table, progress, now, limits);
    const { tally, nodeStates } = part.progress;
    if (part.isDone) return { parts, nodeStates, ...resultOf(tally) };
    ({ progress } = part);
  }
}

test('a count in parts, with heartbeats read one by one, equals a count in one part', async () => {
  const { parts, ...whole } = await counted({ objects: 1000, heartbeats: 100 });
  expect(parts).toBe(1);
  const { live, stale, offline } = whole.nodeStates!.counts;
  expect([live, stale, offline].map((counts) => counts.at(-1))).toEqual([3, 0, 0]);
  expect(whole.rows.reduce((sum, row) => sum + row[4], 0)).toBe(24);
  expect(whole.rows).toContainEqual(['node', 'generic', 'live', 'r0', 3]);
  expect(whole.clusters).toEqual({
    total: 3,
    by_state: { never_seen: 3 },
    by_type: { mysql: 3 },
    without_live_member: 0,
  });
  const { parts: several, ...sum } = await counted({ objects: 1, heartbeats: 0 });
  expect(several).toBe(3);
  expect(sum).toEqual(whole);
});

test('the services and agents of a silenced node are silenced also in a later part of the count', async () => {
  const cause = { ...contextOf(), now };
  const end = Math.ceil(now.getTime() / 1000) + 60;
  const silence = { selector: 'region=r0', reason: 'Upgrade', expires_at: end };
  const { silence_id: id } = await addSilence(table, silence, cause);
  const { parts, silenced } = await counted({ objects: 1, heartbeats: 0 });
  await removeSilence(table, id, cause);
  const numberOf = (kind: string) => silenced.filter((row) => row[0] === kind).reduce((sum, row) => sum + row[4], 0);
  expect([parts, numberOf('node'), numberOf('service'), numberOf('agent')]).toEqual([3, 3, 3, 6]);
});

test('counts an object that needs attention at its region and cluster if it has them', async () => {
  const after = new Date(now.getTime() + 30 * 86_400_000);
  const { progress } = await countPart(table, newCount(after), after);
  const { findings } = resultOf(progress.tally);
  const placesOf = (kind: string) =>
    findings.filter((finding) => finding.kind === kind).map(({ count, places }) => [count, places.toSorted()]);
  const clusters = ['c0', 'c1', 'c2'].map((name) => ['cluster', name, 1]);
  // Those in r1 have never reported.
  expect(
    placesOf('node')
      .map((places) => JSON.stringify(places))
      .toSorted(),
  ).toEqual(['r0', 'r1'].map((region) => JSON.stringify([3, [['region', region, 3]]])));
  expect(placesOf('service')).toEqual([[3, clusters]]);
});

describe('a large inventory', () => {
  const limits = { objects: 1, heartbeats: 0 };

  test('has a partial summary at first, which each request continues', async () => {
    const first = await getSummary(table, later(0), { limits });
    expect([first.isPartial, first.count.rows.every(([kind]) => kind === 'node')]).toEqual([true, true]);
    expect((await getSummary(table, later(1), { limits })).isPartial).toBe(true);
    const third = await getSummary(table, later(2), { limits });
    expect([third.isPartial, new Set(third.count.rows.map(([kind]) => kind)).size]).toEqual([false, 3]);
  });

  test('then keeps the last whole count until the next one has ended', async () => {
    const whole = await readKept(table);
    for (const minute of [2, 3]) {
      const { count, countedAt, at } = await getSummary(table, later(60 * minute), { limits });
      expect([count, countedAt]).toEqual([whole?.count, whole?.countedAt]);
      expect(at).toBe(later(60 * minute)().getTime());
    }
    expect((await getSummary(table, later(240), { limits })).countedAt).toBe(later(240)().getTime());
  });
});

test('one request at a time computes; the others get what is kept', async () => {
  const counter = meter(table);
  const calls = await counter.during(async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => getSummary(table, later(1000))));
    expect(all.some(({ at }) => at === later(1000)().getTime())).toBe(true);
  });
  const writes = calls.filter(({ operation, refusedUnits }) => operation === 'PutItem' && refusedUnits === 0);
  expect(writes).toHaveLength(2);
});

test('a request that ended half-way blocks the others for half a minute only', async () => {
  const busy = { ...jobKey('count'), busy_until: later(2030)().getTime(), done_at: 0 };
  await table.client.send(new PutCommand({ TableName: table.name, Item: busy }));
  expect((await getSummary(table, later(2000))).at).toBe(later(1000)().getTime());
  expect((await getSummary(table, later(2031))).at).toBe(later(2031)().getTime());
});

test('a request whose computation fails lets the next one compute at once', async () => {
  const broken: Table = withSend(table, (command: any) =>
    /Query|Scan/.test(command.constructor.name) ? Promise.reject(new Error('broken')) : table.client.send(command),
  );
  await expect(getSummary(broken, later(3100))).rejects.toThrow('broken');
  expect((await getSummary(table, later(3101))).at).toBe(later(3101)().getTime());
});

test('reading the largest summary costs at most 5 read units', async () => {
  const counter = new Counter();
  const types = ['generic', 'container', 'remote', 'remote_rds', 'remote_azure_database'];
  for (const [index, node_type] of types.entries())
    for (let region = 0; region < 50; region += 1) {
      const name = `${index}-${region}-${'n'.repeat(400)}`;
      const az = `${'z'.repeat(90)}${index}-${region}`;
      counter.add(node({ node_type, region: `${'r'.repeat(90)}${region}`, az, node_name: name }), new Map(), now);
      counter.add(service([], { environment: `e${region}`, cluster: name }), new Map(), now);
    }
  const { rows, clusters, zones } = resultOf(counter.result());
  expect(new Set(rows.map((row) => row[3])).size).toBe(2 * (MAX_COUNTED_VALUES + 1) - 1);
  expect(clusters.total).toBe(250);
  expect(zones).toHaveLength(MAX_COUNTED_ZONES + 1);
  expect(zones.at(-1)).toEqual(['other', '', { never_seen: 250 - MAX_COUNTED_ZONES }]);
  const calls = await meter(table).during(() => readKept(table));
  expect(calls.reduce((sum, { units }) => sum + units, 0)).toBeLessThanOrEqual(5);
});

test('counts each change once, also one that becomes visible late', async () => {
  const sum = ({ hours }: { hours: readonly (readonly unknown[])[] }) =>
    hours.reduce((total, hour) => total + Number(hour[3]), 0);
  const first = await countChanges(table, undefined, now);
  expect(first.isComplete).toBe(true);
  expect(sum(first)).toBe(24);
  const again = await countChanges(table, first.count, later(10)());
  await addAll(table, node());
  const third = await countChanges(table, again.count, later(11)());
  expect([sum(again), sum(third), sum(third.count)]).toEqual([24, 25, 0]);
  const last = await countChanges(table, third.count, later(60)());
  expect([sum(last), sum(last.count)]).toEqual([25, 25]);
});

test('a job that stopped, or failed in steps, is a finding until it is done, and stays a job while it is unfinished', async () => {
  const planId = 'plan-1';
  const progress = { total: 2, done: 1, failed: 0, failures: [] };
  const request: any = { mode: 'apply', scope: { selector: 'a=b' }, desired: [] };
  const made = { planId, callerId: 'caller', writeContext: contextOf(), now };
  await keepReconciliation(table, made, { request }, { ...progress, state: 'applying' });
  const jobExamples = async () =>
    (await readFindings(table, await readJobStatuses(table, now), now))
      .filter(({ kind }) => kind === 'reconciliation')
      .map(({ examples }) => examples);
  expect(await jobExamples()).toEqual([]);
  expect(await readJobStatuses(table, now)).toEqual([
    { job: 'reconciliation', id: planId, actor: 'test', state: 'waiting', begunAt: now.getTime(), total: 2, done: 1 },
  ]);
  await noteProgress(table, planId, { ...progress, state: 'stopped', reason: 'x' });
  expect(await jobExamples()).toEqual([[{ id: planId, name: 'test' }]]);
  await noteProgress(table, planId, { ...progress, done: 1, failed: 1, state: 'done' });
  expect(await jobExamples()).toHaveLength(1);
  await noteProgress(table, planId, { ...progress, done: 2, state: 'done' });
  expect(await jobExamples()).toEqual([]);
});

test('while the table cannot be written, a summary is computed for each request, and none is stored', async () => {
  const fault = new TableFault({ name: 'disk_full', problem: 'Full.', remedy: 'Free space.' });
  const send = (command: any) =>
    /Put|Update|Transact/.test(command.constructor.name) ? Promise.reject(fault) : table.client.send(command);
  const full: Table = withSend(table, send);
  const before = await readKept(table, true);
  const at = later(7200);
  expect((await getSummary(full, at)).at).toBe(at().getTime());
  expect(await readKept(table, true)).toEqual(before);
  // The disk becomes full between the claim and the end of the computation.
  let writes = 0;
  const fullLater: Table = withSend(table, (command: any) =>
    /Put|Update/.test(command.constructor.name) && (writes += 1) > 1
      ? Promise.reject(fault)
      : table.client.send(command),
  );
  expect((await getSummary(fullLater, at)).at).toBe(at().getTime());
  expect(writes).toBeGreaterThan(1);
});

test('an agent that pushes needs an enabled vm_agent on its node, also when the count is in parts', async () => {
  const pushing: string[] = [];
  for (const disabled of [undefined, true, false]) {
    const place = node();
    const process = pmmAgent(place);
    const collector = disabled === undefined ? [] : [exporter(process, [], { agent_type: 'vm_agent', disabled })];
    const agents = [true, false].map((push_metrics) =>
      exporter(process, [], { agent_type: 'node_exporter', push_metrics }),
    );
    for (const entity of [place, process, ...collector, ...agents]) await addAll(table, entity);
    const entries = agents.map((agent) => ({ agent_id: idOf(agent), status: 'running' as const }));
    const report = {
      pmmAgentId: idOf(process),
      contents: { agents: entries },
      scope: undefined,
      limit: undefined,
      now,
    };
    await takeReport(table, report);
    if (disabled !== false) pushing.push(idOf(agents[0]!));
  }
  for (const limits of [
    { objects: 1, heartbeats: 0 },
    { objects: 100, heartbeats: 100 },
  ]) {
    const { findings } = await counted(limits);
    const notCollected = findings.find(({ reason }) => reason === 'not_collected');
    expect(notCollected?.examples.map(({ id }) => id).sort()).toEqual(pushing.sort());
    expect(notCollected?.examples[0]?.name).toMatch(/^node_exporter on /);
  }
});
