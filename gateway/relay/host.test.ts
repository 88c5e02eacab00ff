import { statusReason } from '../../functions/domain/agent/types.ts';
import { manualClock } from '../../tests/support/manual-clock.ts';
import type { Session, StatusChange } from '../streams/session.ts';
import { Host } from './host.ts';
import { Inventory } from './inventory.ts';
import type { Reporter, ReportPart } from './reporter.ts';

const exporter = (agent_id: string, more: object = {}) => ({
  ...{ agent_id, agent_type: 'node_exporter', disabled: false, insights: { service_ids: [] as string[] } },
  ...more,
});
const ofService = (agent_id: string, agent_type: string) =>
  exporter(agent_id, { agent_type, insights: { service_ids: ['s'] } });
const services = new Map([['s', { service_id: 's', service_name: 'web' }]]);

/** A host of an inventory and an agent process that the test directs. */
function start() {
  const clock = manualClock();
  const state = { agents: [exporter('a')] as object[], isAway: false, accepts: true, isEnded: false };
  const reads: string[] = [];
  const told: { agents: string[]; limit: number; at: number }[] = [];
  const reports: ReportPart[] = [];
  const failures: unknown[] = [];
  const inventory = new Inventory(({ path }) => {
    reads.push(path);
    if (state.isAway) return Promise.reject(new Error('away'));
    const body = path.startsWith('/v1/services') ? services.get('s') : { agents: state.agents };
    return Promise.resolve({ status: 200, body });
  });
  const session = {
    get isEnded() {
      return state.isEnded;
    },
    setState: ({ agentProcesses }: { agentProcesses: object }, limit: number) => {
      told.push({ agents: Object.keys(agentProcesses).map((id) => id.split('/').at(-1)!), limit, at: clock.now() });
      return Promise.resolve(state.accepts);
    },
  };
  const reporter = { add: (id: string, part: ReportPart) => (expect(id).toBe('p'), reports.push(part)) };
  const host = new Host(
    {
      ...{ pmmAgentId: 'p', generation: 3, version: '3.5.0', credential: { authorization: 'Bearer k', source: '' } },
      ...{ session: session as unknown as Session, reporter: reporter as unknown as Reporter, inventory },
      ...{ closed: new AbortController().signal, onFailure: (error) => failures.push(error), monotonic: clock },
    },
    5,
  );
  const update = async (...given: Parameters<Host['update']>) => {
    host.update(...given);
    await clock.pass(0);
  };
  const take = (more: Partial<StatusChange>) =>
    host.take({ agentId: 'a', status: 'running', listenPort: undefined, version: undefined, ...more });
  return { clock, state, host, reads, told, reports, failures, update, take };
}

test('unreadable agents are read every two seconds, and then sent to the process', async () => {
  const { clock, state, told, reads, failures, update } = start();
  state.isAway = true;
  await update();
  await clock.pass(1999);
  expect([reads.length, failures.length]).toEqual([1, 1]);
  await clock.pass(1);
  expect([reads.length, failures.length, told]).toEqual([2, 2, []]);
  state.isAway = false;
  await clock.pass(2000);
  expect(told).toEqual([{ agents: ['a'], limit: 5000, at: 4000 }]);
  await clock.pass(60_000);
  expect([reads.length, told.length]).toEqual([3, 1]);
});

test('a process that does not accept its state in five seconds gets it two seconds later, without another read', async () => {
  const { clock, state, told, reads, update } = start();
  state.accepts = false;
  await update();
  await clock.pass(4000);
  expect(told.map(({ at }) => at)).toEqual([0, 2000, 4000]);
  state.accepts = true;
  await clock.pass(60_000);
  expect([told.length, reads.length]).toEqual([4, 1]);
});

test('a change while the state is not accepted is read, and the newer state is sent', async () => {
  const { clock, state, told, reads, update } = start();
  state.accepts = false;
  await update();
  state.agents = [exporter('b')];
  await update();
  state.accepts = true;
  await clock.pass(4000);
  expect([told.map(({ agents }) => agents), reads.length]).toEqual([[['a'], ['b']], 2]);
});

test('a process gets its agents at first, also an empty list, and then only changes', async () => {
  const { state, told, update } = start();
  state.agents = [];
  await update();
  await update();
  state.agents = [exporter('a')];
  await update();
  await update();
  expect(told.map(({ agents }) => agents)).toEqual([[], ['a']]);
});

test('objects of the admission are read again only after a change for the host', async () => {
  const { host, told, reads, update } = start();
  const objects = { agents: [ofService('c', 'mongodb_exporter')], services };
  await update(objects, [new Set(['another'])]);
  expect([told.map(({ agents }) => agents), reads]).toEqual([[['c']], []]);
  expect(['p', 'c', 's', 'a', 'another'].map((id) => host.concerns(new Set([id])))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  await update(objects, [new Set(['another']), new Set(['s'])]);
  expect(told.map(({ agents }) => agents)).toEqual([['c'], ['a']]);
  expect(['c', 's', 'a'].map((id) => host.concerns(new Set([id])))).toEqual([false, false, true]);
});

test('a stream that has ended gets nothing, and nothing is read for it', async () => {
  const { clock, state, told, reads, update } = start();
  state.isAway = true;
  await update();
  [state.isAway, state.isEnded] = [false, true];
  await clock.pass(60_000);
  await update();
  expect([told, reads.length]).toEqual([[], 1]);
});

test('an agent that cannot run is reported once as waiting with a reason, whatever its former status', async () => {
  const { state, reports, update } = start();
  state.agents = [exporter('a'), exporter('w', { agent_type: 'vm_agent' })];
  await update();
  await update();
  const status_reason = expect.stringMatching(/takes no metrics/);
  expect(reports).toEqual([{ entries: [{ agent_id: 'w', status: 'waiting', status_reason }], isReset: true }]);
  state.agents = [exporter('w', { agent_type: 'nomad_agent' })];
  await update();
  expect(reports.slice(1)).toMatchObject([{ entries: [{ status_reason: 'This service runs no jobs.' }] }]);
});

test('the first status of an agent on a stream can follow any status, later ones only their predecessor', () => {
  const { reports, take } = start();
  take({ status: 'starting' });
  take({ status: 'running', listenPort: 42_000, version: '1.8.2' });
  take({ agentId: 'b' });
  expect(reports).toEqual([
    { entries: [{ agent_id: 'a', status: 'starting' }], isReset: true },
    { entries: [{ agent_id: 'a', status: 'running', listen_port: 42_000, version: '1.8.2' }], isReset: false },
    { entries: [{ agent_id: 'b', status: 'running' }], isReset: true },
  ]);
});

test('a program that has never run may not be installed, and the reason says so until it has', async () => {
  const { state, reports, update, take } = start();
  const longest = new Map([['s', { service_id: 's', service_name: 'x'.repeat(100) }]]);
  state.agents = [ofService('p', 'postgres_exporter'), exporter('n')];
  await update({ agents: state.agents as never, services: longest });
  for (const agentId of ['p', 'n'])
    for (const status of ['starting', 'waiting', 'starting', 'running', 'waiting'] as const) take({ agentId, status });
  const reasons = reports.flatMap(({ entries = [] }) =>
    entries.flatMap(({ status, status_reason: reason }) => (status === 'waiting' ? [reason] : [])),
  );
  expect(reasons).toEqual([
    expect.stringMatching(/^Needs files on the host: .*x{100}.*\.pass; or its program is not installed\.$/),
    expect.stringMatching(/^Needs files on the host: .*\.pass$/),
    'It has not run: its program is not installed, or see the log of pmm-agent.',
    undefined,
  ]);
  for (const reason of reasons) expect(statusReason().safeParse(reason ?? '-').success).toBe(true);
});

test('a program with a version is installed, so that the reason names only its needs, also before it has run', async () => {
  const { state, reports, update, take } = start();
  state.agents = [ofService('m', 'mongodb_exporter'), exporter('n')];
  await update();
  for (const agentId of ['m', 'n'])
    take({ agentId, status: 'waiting', version: '0.40.0', failedToStart: true, listenPort: 42_000 });
  expect(reports.flatMap(({ entries = [] }) => entries.map(({ status_reason: reason }) => reason))).toEqual([
    expect.stringMatching(/^Needs credentials on the host: .*log of pmm-agent\.$/),
    'It ends when it is started: see the log of pmm-agent.',
  ]);
});

test('a program that could not start waits, whatever later statuses say, and is started again after 30 seconds, then after a minute', async () => {
  const { clock, state, told, reads, reports, update, take } = start();
  await update();
  const fail = () => {
    take({ status: 'starting' });
    take({ status: 'waiting', failedToStart: true });
    take({ status: 'done' });
  };
  fail();
  fail();
  fail();
  expect(reports.flatMap(({ entries = [] }) => entries.map(({ status }) => status)).at(-1)).toBe('waiting');
  await clock.pass(29_999);
  expect(told.length).toBe(1);
  await clock.pass(1);
  expect(told.map(({ agents }) => agents)).toEqual([['a'], ['a']]);
  fail();
  await clock.pass(59_999);
  expect(told.length).toBe(2);
  await clock.pass(1);
  expect([told.length, reads.length]).toEqual([3, 1]);
  take({ status: 'starting' });
  take({ status: 'running' });
  await clock.pass(60_000);
  expect(told.length).toBe(3);
  take({ status: 'done' });
  expect(reports.at(-1)).toMatchObject({ entries: [{ status: 'done' }] });
  // One that was removed is not started again.
  fail();
  state.agents = [];
  await update();
  await clock.pass(600_000);
  expect(told.map(({ agents }) => agents).slice(3)).toEqual([[]]);
});

test('a program that never starts is tried for two hours, and again after a change', async () => {
  const { clock, state, told, update, take } = start();
  const passHours = async (hours: number) => {
    for (let minute = 0; minute < 60 * hours; minute += 1) {
      take({ status: 'waiting', failedToStart: true });
      await clock.pass(60_000);
    }
  };
  await update();
  await passHours(24);
  expect([told.length, told.at(-1)!.at]).toEqual([9, expect.any(Number)]);
  state.agents = [exporter('a'), exporter('b')];
  await update();
  await passHours(1);
  expect(told.length).toBeGreaterThan(10);
});

test('a waiting process has its needs as the reason, and an ended one no port', async () => {
  const { state, reports, update, take } = start();
  state.agents = [ofService('m', 'mongodb_exporter')];
  await update();
  take({ agentId: 'm', status: 'waiting', listenPort: 42_000 });
  take({ agentId: 'm', status: 'running', listenPort: 42_000 });
  take({ agentId: 'm', status: 'done', listenPort: 42_000 });
  const entries = reports.flatMap((report) => report.entries ?? []);
  expect(entries.map(({ listen_port: port, status_reason: reason }) => [port, reason])).toEqual([
    [42_000, expect.stringMatching(/^Needs credentials on the host/)],
    [42_000, undefined],
    [undefined, undefined],
  ]);
});
