import { manualClock } from '../../tests/support/manual-clock.ts';
import { type HostReport, Inventory, type InventoryReply } from './inventory.ts';
import { Reporter } from './reporter.ts';

const taken = { report_after_seconds: 60, refused: [] as { agent_id: string; reason: string }[] };

/** A reporter for an inventory that answers each request by `reply`. */
function start(reply: (reports: HostReport[], turn: number) => InventoryReply) {
  const sent: HostReport[][] = [];
  const inventory = new Inventory(({ body }) => {
    const { reports } = body as { reports: HostReport[] };
    sent.push(reports);
    return Promise.resolve(reply(reports, sent.length));
  });
  const refused: string[] = [];
  const failures: unknown[] = [];
  const reporter = new Reporter({
    inventory,
    onTaken: () => undefined,
    onRefused: (id) => refused.push(id),
    onFailure: (error) => failures.push(error),
    monotonic: manualClock(),
  });
  return { sent, refused, failures, reporter };
}

const all = (reports: HostReport[], status = 200) => ({
  status: 200,
  body: { results: reports.map(() => ({ status, ...(status === 200 ? { report: taken } : {}) })) },
});

const entry = (agent_id: string, status: string) => ({ agent_id, status });

test('collects the parts of a host, and an intermediate status makes any status possible', async () => {
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

test('keeps what an inventory that is away did not take, under what follows', async () => {
  const { sent, failures, reporter } = start((reports, turn) =>
    turn === 1 ? { status: 503, body: { message: 'Try again.' } } : all(reports),
  );
  reporter.add('p', { entries: [entry('a', 'starting'), entry('b', 'running')], isReset: true });
  reporter.add('q', { isLost: true });
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

test('repeats an impossible status as a new beginning, and names hosts that are refused', async () => {
  const impossible = { ...taken, refused: [{ agent_id: 'a', reason: 'impossible_transition' }] };
  const { sent, refused, reporter } = start((reports, turn) =>
    turn === 1
      ? { status: 200, body: { results: [{ status: 200, report: impossible }, { status: 404 }, { status: 503 }] } }
      : all(reports),
  );
  reporter.add('p', { entries: [entry('a', 'starting')] });
  reporter.add('q');
  reporter.add('r', { isLost: true });
  await reporter.flush();
  await reporter.flush();
  await reporter.stop(1000);
  expect(refused).toEqual(['q']);
  expect(sent[1]).toEqual([
    { pmm_agent_id: 'p', agents: [entry('a', 'starting')], reset: true },
    { pmm_agent_id: 'r', agents: [], connected: false },
  ]);
});
