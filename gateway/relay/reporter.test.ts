import { manualClock } from '../../tests/support/manual-clock.ts';
import { type HostReport, Inventory, type InventoryReply } from './inventory.ts';
import { Reporter, type ReportPart } from './reporter.ts';

const taken = { report_after_seconds: 60, refused: [] as { agent_id: string; reason: string }[] };

/** A reporter for an inventory that answers each request by `reply`. */
function start(reply: (reports: HostReport[], turn: number) => InventoryReply) {
  const sent: HostReport[][] = [];
  const inventory = new Inventory(({ body }) => {
    const { reports } = body as { reports: HostReport[] };
    sent.push(reports);
    return Promise.resolve(reply(reports, sent.length));
  });
  const clock = manualClock();
  const refused: string[] = [];
  const failures: unknown[] = [];
  const times: unknown[] = [];
  const reporter = new Reporter({
    inventory,
    onTaken: (id, time) => times.push([id, time]),
    onRefused: (id) => refused.push(id),
    onFailure: (error) => failures.push(error),
    monotonic: clock,
  });
  return { clock, sent, refused, failures, times, reporter };
}

const all = (reports: HostReport[], status = 200) => ({
  status: 200,
  body: { results: reports.map(() => ({ status, ...(status === 200 ? { report: taken } : {}) })) },
});

const entry = (agent_id: string, status: string, more: object = {}) => ({ agent_id, status, ...more });

test('combines the parts of a host, and an intermediate status permits any status', async () => {
  const { sent, reporter } = start((reports) => all(reports));
  reporter.add('p', { entries: [entry('a', 'starting')] });
  reporter.add('p', { entries: [entry('b', 'starting')] });
  reporter.add('q');
  await reporter.flush();
  reporter.add('p', { entries: [entry('a', 'running')] });
  reporter.add('p', { entries: [entry('a', 'waiting')] });
  await reporter.flush();
  await reporter.stop(1000);
  expect(sent[0]).toEqual([
    { pmm_agent_id: 'p', agents: [entry('a', 'starting'), entry('b', 'starting')] },
    { pmm_agent_id: 'q', agents: [] },
  ]);
  expect(sent[1]).toEqual([{ pmm_agent_id: 'p', agents: [entry('a', 'waiting')], reset: true }]);
});

test('sends at most 500 hosts in a request', async () => {
  const { sent, reporter } = start((reports) => all(reports));
  for (let index = 0; index < 1200; index += 1) reporter.add(`p${index}`);
  await reporter.flush();
  expect(sent.map((reports) => reports.length)).toEqual([500, 500, 200]);
});

test('sends at most 200 agents of a host at once, and the others after them', async () => {
  const { sent, reporter } = start((reports) => all(reports));
  reporter.add('p', { entries: Array.from({ length: 450 }, (_, index) => entry(`a${index}`, 'running')) });
  for (let turn = 0; turn < 3; turn += 1) await reporter.flush();
  await reporter.stop(1000);
  expect(sent.map(([report]) => report?.agents.length)).toEqual([200, 200, 50]);
  expect(new Set(sent.flatMap(([report]) => report?.agents.map(({ agent_id: id }) => id))).size).toBe(450);
});

test('keeps what an unavailable inventory did not accept, below later reports', async () => {
  const { sent, failures, reporter } = start((reports, turn) =>
    turn === 1 ? { status: 503, body: { message: 'Try again.' } } : all(reports),
  );
  reporter.add('p', { entries: [entry('a', 'starting'), entry('b', 'running')], isReset: true });
  reporter.add('q', { lostAt: 0 });
  await reporter.flush();
  reporter.add('p', { entries: [entry('a', 'running')] });
  reporter.add('q');
  await reporter.flush();
  await reporter.stop(1000);
  expect(failures).toHaveLength(1);
  expect(sent[1]).toEqual([
    { pmm_agent_id: 'p', agents: [entry('a', 'running'), entry('b', 'running')], reset: true },
    { pmm_agent_id: 'q', agents: [] },
  ]);
});

test('repeats an impossible status as a restart, and names refused hosts', async () => {
  const impossible = { ...taken, refused: [{ agent_id: 'a', reason: 'impossible_transition' }] };
  const { sent, refused, reporter } = start((reports, turn) =>
    turn === 1
      ? { status: 200, body: { results: [{ status: 200, report: impossible }, { status: 404 }, { status: 503 }] } }
      : all(reports),
  );
  reporter.add('p', { entries: [entry('a', 'starting')] });
  reporter.add('q');
  reporter.add('r', { lostAt: 0 });
  await reporter.flush();
  await reporter.flush();
  await reporter.stop(1000);
  expect(refused).toEqual(['q']);
  expect(sent[1]).toEqual([
    { pmm_agent_id: 'p', agents: [entry('a', 'starting')], reset: true },
    { pmm_agent_id: 'r', agents: [], connected: false, silent_seconds: 0 },
  ]);
});

test.each<[string, ReportPart, number]>([
  ['a heartbeat', {}, 5000],
  ['a part whose flags are false', { entries: [], isReset: false, isNew: false }, 5000],
  ['a status', { entries: [entry('a', 'running')] }, 300],
  ['a new beginning', { isReset: true }, 300],
  ['a lost connection', { lostAt: 0 }, 300],
  ['a new connection', { isNew: true }, 300],
])(
  '%s is sent with what others add in the meantime: heartbeats wait 5 s, news 300 ms',
  async (_, part, milliseconds) => {
    const { clock, sent, reporter } = start((reports) => all(reports));
    reporter.add('p', part);
    await clock.pass(milliseconds - 1);
    reporter.add('q');
    expect(sent).toEqual([]);
    await clock.pass(1);
    expect(sent.map((reports) => reports.map(({ pmm_agent_id: id }) => id))).toEqual([['p', 'q']]);
    await clock.pass(60_000);
    expect(sent).toHaveLength(1);
  },
);

test('news take a waiting heartbeat with them, and a heartbeat does not delay news', async () => {
  const { clock, sent, reporter } = start((reports) => all(reports));
  reporter.add('p');
  await clock.pass(1000);
  reporter.add('q', { isNew: true });
  reporter.add('r');
  await clock.pass(300);
  expect(sent.map((reports) => reports.length)).toEqual([3]);
});

test('a failed request is repeated after one second, then after doubling pauses up to fifteen', async () => {
  let isAway = true;
  const { clock, sent, failures, reporter } = start((reports) => (isAway ? { status: 503, body: {} } : all(reports)));
  reporter.add('p', { isNew: true });
  await clock.pass(300);
  const at: number[] = [];
  while (clock.now() < 70_000) {
    const count = sent.length;
    await clock.pass(100);
    if (sent.length > count) at.push(clock.now());
  }
  const pauses = at.map((time, index) => time - (at[index - 1] ?? 300));
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);
  expect(failures).toHaveLength(sent.length);
  isAway = false;
  await clock.pass(15_000);
  reporter.add('q', { isNew: true });
  const before = sent.length;
  await clock.pass(300);
  expect(sent.length).toBe(before + 1);
});

test('a lost connection is reported with the time since the last sign of life, at most an hour', async () => {
  let isAway = true;
  const { clock, sent, reporter } = start((reports) => (isAway ? { status: 503, body: {} } : all(reports)));
  reporter.add('p', { lostAt: -20_000 });
  reporter.add('q', { lostAt: -2 * 3_600_000 });
  await reporter.flush();
  clock.advance(9000);
  isAway = false;
  await reporter.flush();
  await reporter.stop(1000);
  expect(sent[0]).toMatchObject([{ silent_seconds: 20 }, { silent_seconds: 3600 }]);
  expect(sent.at(-1)).toMatchObject([{ silent_seconds: 29 }, { silent_seconds: 3600 }]);
});

test('a connection that ends and restarts between two requests is reported in its last state', async () => {
  const { sent, reporter } = start((reports) => all(reports));
  const reported = async (...parts: ReportPart[]) => {
    for (const part of parts) reporter.add('p', part);
    await reporter.flush();
    return sent.at(-1)![0]!.connected;
  };
  expect(await reported({ isNew: true }, {})).toBe(true);
  expect(await reported({ isNew: true }, { lostAt: 0 })).toBe(false);
  expect(await reported({ lostAt: 0 }, { isNew: true })).toBe(true);
  expect(await reported({ lostAt: 0 }, {})).toBeUndefined();
});

test('an entry of a process about itself keeps the version of its connection', async () => {
  const { sent, reporter } = start((reports) => all(reports));
  reporter.add('p', { entries: [entry('p', 'running', { version: '3.5.0' })], isNew: true });
  reporter.add('p', { entries: [entry('p', 'running', { status_reason: 'Twice.' })] });
  await reporter.flush();
  expect(sent[0]![0]).toMatchObject({
    agents: [{ agent_id: 'p', version: '3.5.0', status_reason: 'Twice.' }],
    connected: true,
  });
});

test('a repeated status needs no restart', async () => {
  const { sent, reporter } = start((reports) => all(reports));
  reporter.add('p', { entries: [entry('a', 'running')] });
  reporter.add('p', { entries: [{ ...entry('a', 'running'), listen_port: 42_000 }] });
  await reporter.flush();
  expect(sent).toEqual([[{ pmm_agent_id: 'p', agents: [{ ...entry('a', 'running'), listen_port: 42_000 }] }]]);
});

test('the time at which a report was stored is reported, if the service states it', async () => {
  const report = { ...taken, reported_at: '1970-01-01T00:01:00Z' };
  const { times, reporter } = start(() => ({
    status: 200,
    body: {
      results: [
        { status: 200, report },
        { status: 200, report: taken },
      ],
    },
  }));
  reporter.add('p');
  reporter.add('q');
  await reporter.flush();
  expect(times).toEqual([
    ['p', { reportAfterSeconds: 60, reportedAt: 60_000 }],
    ['q', { reportAfterSeconds: 60, reportedAt: undefined }],
  ]);
});

test.each([400, 403, 404])('a host whose report gets %i is refused, and its report is not repeated', async (status) => {
  const { sent, refused, reporter } = start((reports) => all(reports, status));
  reporter.add('p', { isNew: true });
  await reporter.flush();
  await reporter.flush();
  expect([refused, sent.length]).toEqual([['p'], 1]);
});

test('a stop sends what is pending, and waits no longer than its time', async () => {
  const { clock, sent, reporter } = start((reports) => all(reports));
  reporter.add('p');
  await clock.passUntil(reporter.stop(1000));
  expect([sent.length, clock.now()]).toEqual([1, 0]);
  reporter.add('q', { isNew: true });
  await clock.pass(60_000);
  expect(sent).toHaveLength(1);
});
