import fc from '../../../shared/testing/fast-check.ts';
import { type AgentStatus, agentStatuses } from '../../domain/agent/types.ts';
import { HISTORY_MS } from './report-history.ts';
import { MAX_FORMER_STATUSES, statusHistories, statusSince, statusTimesAfter } from './status-history.ts';
import { type Report, saysTheSame } from './stored-report.ts';

const START = Date.parse('2030-01-01T00:00:00.000Z');
const HOUR = 3_600_000;

const reportWith = (last: Report | undefined, statuses: Record<string, AgentStatus>, at: number): Report => {
  const agents = Object.fromEntries(
    Object.entries(statuses).map(([id, status]) => [id, [status, null, null] as const]),
  );
  return { at, agents, ...statusTimesAfter(last, agents, at) };
};

/** The report after these, one an hour. */
const reportsOf = (...all: readonly Record<string, AgentStatus>[]) =>
  all.reduce<Report | undefined>((last, statuses, hour) => reportWith(last, statuses, START + hour * HOUR), undefined)!;

test('a report keeps the time of a status until the status changes', () => {
  const last = reportsOf(
    { b: 'waiting', a: 'running' },
    { b: 'waiting', a: 'waiting' },
    { b: 'waiting', a: 'waiting' },
  );
  expect([statusSince(last, 'a'), statusSince(last, 'b'), statusSince(last, 'c')]).toEqual([
    START + HOUR,
    START,
    undefined,
  ]);
});

test('an agent that a report adds or leaves out does not change the times of others', () => {
  const last = reportsOf(
    { b: 'running', c: 'running' },
    { b: 'waiting', c: 'running' },
    { a: 'running', b: 'waiting' },
  );
  expect(statusHistories(last)).toEqual(
    new Map([
      ['a', [[START + 2 * HOUR, 'running']]],
      [
        'b',
        [
          [START, 'running'],
          [START + HOUR, 'waiting'],
        ],
      ],
    ]),
  );
});

test('the statuses of a report of an older version begin with this report, and stay so', () => {
  const older: Report = { at: START, agents: { a: ['waiting', null, null] } };
  expect(statusSince(older, 'a')).toBe(START);
  expect(statusSince(reportWith(older, { a: 'waiting' }, START + HOUR), 'a')).toBe(START);
});

test('a report after a clock was set back has no status that begins later', () => {
  const [first, second] = [reportWith(undefined, { a: 'running' }, START), START - HOUR];
  expect(statusHistories(reportWith(first, { a: 'running' }, second)).get('a')).toEqual([[second, 'running']]);
});

test('beyond their number, the statuses that ended first are forgotten, whatever agent had them', () => {
  const words = ['running', 'waiting'] as const;
  const changes = Array.from({ length: MAX_FORMER_STATUSES + 1 }, (_, index) => words[index % 2]!);
  const last = [
    { a: 'running', b: 'running' } as const,
    ...changes.map((status) => ({ a: status === 'running' ? 'waiting' : 'running', b: 'waiting' }) as const),
  ].reduce<Report | undefined>(
    (former, statuses, minute) => reportWith(former, statuses, START + minute * 60_000),
    undefined,
  )!;
  const histories = statusHistories(last);
  expect([histories.get('a')!.length, histories.get('b')!.length]).toEqual([MAX_FORMER_STATUSES + 1, 1]);
});

test('times alone are no news', () => {
  const last = reportsOf({ a: 'running' }, { a: 'waiting' });
  expect(saysTheSame({ agents: last.agents }, last)).toBe(true);
});

test('the histories are those of the last day that reports had, without the oldest beyond a number', () => {
  const ids = ['a', 'b', 'c'] as const;
  const step = fc.record({
    wait: fc.oneof(fc.integer({ min: 1, max: HOUR / 2 }), fc.integer({ min: 1, max: 4 * HOUR })),
    id: fc.constantFrom(...ids),
    status: fc.constantFrom(...agentStatuses),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
      const statuses: Record<string, AgentStatus> = { a: 'running', b: 'running', c: 'running' };
      const model = ids.map((id) => ({ id, begin: START, status: statuses[id]! }));
      let at = START;
      let last = reportWith(undefined, statuses, at);
      for (const { wait, id, status } of steps) {
        at += wait;
        if (statuses[id] !== status) model.push({ id, begin: at, status });
        statuses[id] = status;
        last = reportWith(last, statuses, at);
      }
      const histories = statusHistories(last);
      const spans = ids.flatMap((id) => {
        const mine = model.filter((step) => step.id === id);
        expect(histories.get(id)?.at(-1)).toEqual([mine.at(-1)!.begin, mine.at(-1)!.status]);
        return mine.slice(0, -1).map((former, index) => ({ ...former, end: mine[index + 1]!.begin }));
      });
      const recent = spans
        .filter(({ end }) => end > at - HISTORY_MS)
        .sort((left, right) => left.end - right.end)
        .slice(-MAX_FORMER_STATUSES);
      const kept = ids.flatMap((id) =>
        histories
          .get(id)!
          .slice(0, -1)
          .map(([begin, status]) => ({ id, begin, status })),
      );
      const expected = ids.flatMap((id) =>
        recent.filter((former) => former.id === id).map(({ end: _end, ...former }) => former),
      );
      expect(kept).toEqual(expected);
    }),
  );
});
