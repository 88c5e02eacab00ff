import fc from '../../../shared/testing/fast-check.ts';
import { reportOf } from '../../../tests/support/report.ts';
import { addAll, node, pmmAgent } from '../../../tests/support/store.ts';
import { itemAt } from '../../../tests/support/table.ts';
import type { State } from '../../domain/fields/liveness.ts';
import { heartbeatKey, processAttribute } from '../table/keys.ts';
import { type Heartbeat, newHeartbeat, readHeartbeat, readHeartbeats, toHeartbeat } from './heartbeat.ts';
import { stateOfNode } from './shown-state.ts';
import { takeReport } from './report.ts';
import { HISTORY_MS, historyAfter, historyOf, MAX_INTERRUPTIONS } from './report-history.ts';
import { takeAllWithoutNews } from './relayed-reports.ts';
import { dayOf, type StateDay, type Step, timelineOf } from './timeline.ts';
import type { Report } from './stored-report.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const START = Date.parse('2030-01-01T00:00:00.000Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The states that reads showed, each minute. */
type Samples = [time: number, state: State][];

/** The state of the day at a time; undefined before its begin. */
const stateAt = ({ intervals }: StateDay, time: number) =>
  intervals.find(({ begin, end }) => begin <= time && time < end)?.state;

const isSeen = (state: State) => state !== 'never_seen';

/** Compares the day with the samples, whose states are known without a gap since the first report. */
function expectDay(heartbeat: Heartbeat, samples: Samples, now: number): void {
  const day = dayOf(timelineOf(heartbeat), new Date(now));
  const isWhole = [...heartbeat.processes.values()].every(
    (report) => report === undefined || historyOf(report).isWhole,
  );
  const first = samples.find(([, state]) => isSeen(state))?.[0] ?? now;
  // The first report is between two samples.
  if (isWhole) expect(day.begin).toBeLessThanOrEqual(Math.max(first, now - HISTORY_MS));
  const reliable = samples.filter(([time]) => time >= day.begin && time < now);
  expect(reliable.map(([time]) => [time, stateAt(day, time)])).toEqual(reliable);
  for (const [index, { begin, end, state }] of day.intervals.entries()) {
    expect([begin, begin < end]).toEqual([day.intervals[index - 1]?.end ?? day.begin, true]);
    expect(state).not.toBe(day.intervals[index - 1]?.state);
  }
  const lengths = day.intervals.filter(({ state }) => state === 'live').map(({ begin, end }) => end - begin);
  const live = lengths.reduce((sum, length) => sum + length, 0) / (now - day.begin);
  if (day.intervals.length > 0) expect(live - (day.availability ?? NaN)).toBeLessThan(0.000_01);
}

const anyStep = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 900 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.integer({ min: 900, max: 30_000 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('report' as const),
      process: fc.constantFrom(0, 0, 0, 1),
      connected: fc.constantFrom(undefined, undefined, undefined, true, false),
    }),
  },
);

describe('the states of the last day', () => {
  const { table } = useTable();

  const heartbeatOf = async (nodeId: string) => (await readHeartbeat(table, nodeId))!;

  test('equal those that a read each minute showed, after any reports and silences', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 10, maxLength: 60 }), async (steps) => {
        const place = node({ stale_after: '5m', offline_after: '15m' });
        const processes = [pmmAgent(place), pmmAgent(place)];
        await addAll(table, place, ...processes);
        const { node_id: id } = place.object;
        let now = START;
        let heartbeat = await heartbeatOf(id);
        const samples: Samples = [];
        for (const step of steps) {
          if (step.do === 'wait') {
            const end = now + step.seconds * 1000;
            for (let time = Math.ceil(now / MINUTE) * MINUTE; time < end; time += MINUTE)
              samples.push([time, stateOfNode(heartbeat, new Date(time))]);
            now = end;
          } else {
            const contents = { agents: [], connected: step.connected };
            const pmmAgentId = processes[step.process]!.object.agent_id;
            await takeReport(table, { pmmAgentId, contents, scope: undefined, limit: undefined, now: new Date(now) });
            heartbeat = await heartbeatOf(id);
            // Reports of one millisecond are stored with later times.
            now += 10;
          }
        }
        expectDay(heartbeat, samples, now);
      }),
      { numRuns: 25 },
    );
  });

  test('of grouped hosts equal those that reads showed', async () => {
    const hosts = Array.from({ length: 9 }, () => {
      const place = node({ stale_after: '5m', offline_after: '15m' });
      return { id: place.object.node_id, place, process: pmmAgent(place) };
    });
    const places = hosts.map(({ place }) => place);
    await addAll(table, ...places, ...hosts.map(({ process }) => process));
    const samples = new Map(hosts.map(({ id }): [string, Samples] => [id, []]));
    const takeAlone = (process: (typeof hosts)[number]['process'], now: Date) => reportOf(table, process, now);
    // Interruptions of the first one before it is in the group.
    for (const minute of [-40, -20]) await takeAlone(hosts[0]!.process, new Date(START + minute * MINUTE));
    let grouped = 0;
    for (let minute = 0; minute < 300; minute += 1) {
      const now = new Date(START + minute * MINUTE);
      // All of them, every two minutes; the first ones fail from time to time.
      const isDue = ({ id }: { id: string }) => !(id === hosts[0]!.id && minute % 100 > 60) && minute !== 250;
      if (minute % 2 === 0) {
        const due = hosts.filter(isDue).map(({ process }) => process);
        const reports = due.map(({ object }) => ({ pmm_agent_id: object.agent_id, agents: [] }));
        const taken = await takeAllWithoutNews(table, reports, now);
        for (const process of due) if (!taken.has(process.object.agent_id)) await takeAlone(process, now);
      }
      for (const [id, heartbeat] of await readHeartbeats(table, places)) {
        if (heartbeat.group !== undefined) grouped += 1;
        samples.get(id)!.push([now.getTime(), stateOfNode(heartbeat, now)]);
      }
    }
    expect(grouped).toBeGreaterThan(1000);
    for (const { id } of hosts) expectDay(await heartbeatOf(id), samples.get(id)!, START + 300 * MINUTE);
    const day = dayOf(timelineOf(await heartbeatOf(hosts[0]!.id)), new Date(START + 300 * MINUTE));
    expect(day.intervals.filter(({ state }) => state === 'offline')).toHaveLength(5);
  });

  test('add less than 400 bytes to a stored report', async () => {
    const place = node({ stale_after: '5m', offline_after: '15m' });
    const process = pmmAgent(place);
    await addAll(table, place, process);
    const { agent_id: pmmAgentId } = process.object;
    for (let count = 0; count < 2 * MAX_INTERRUPTIONS; count += 1) {
      const now = new Date(START + count * 20 * MINUTE + count);
      await takeReport(table, { pmmAgentId, contents: { agents: [] }, scope: undefined, limit: undefined, now });
    }
    const { history } = (await itemAt(table, heartbeatKey(place.object.node_id)))![
      processAttribute(pmmAgentId)
    ] as Report;
    const numbers = history as number[];
    expect(numbers).toHaveLength(2 + 3 * MAX_INTERRUPTIONS);
    // As DynamoDB stores a number: two digits in a byte, one byte more, and one for the element.
    const bytes = numbers.reduce((sum, number) => sum + Math.ceil(String(number).length / 2) + 2, 0);
    expect(bytes).toBeLessThan(400);
  });
});

const life = { lifetime: 'permanent', staleAfter: 300, offlineAfter: 900, removeAfter: 86_400 } as const;

/** The last report after reports at these minutes; a negative one: of a lost connection. */
function reportsAt(...minutes: readonly number[]): Report {
  const [first, ...others] = minutes.map((minute): Report => ({
    ...{ at: START + Math.abs(minute) * MINUTE, agents: {} },
    ...(minute < 0 ? { connected: false } : {}),
  }));
  return others.reduce<Report>((last, next) => ({ ...next, history: historyAfter(last, life, next.at) }), {
    ...first!,
    history: historyAfter(undefined, life, first!.at),
  });
}

const place = node();

/** `live 0-5`: in minutes. */
function shown(reports: readonly (Report | undefined)[], minute: number): string[] {
  const attributes = reports.map((report, index) => [processAttribute(String(index)), report ?? {}]);
  const item = { ...newHeartbeat(place.object, new Date(START)), stale_after: 300, offline_after: 900 };
  const { intervals } = dayOf(
    timelineOf(toHeartbeat({ ...item, ...Object.fromEntries(attributes) })),
    new Date(START + minute * MINUTE),
  );
  const minuteOf = (time: number) => (time - START) / MINUTE;
  return intervals.map(({ state, begin, end }) => `${state} ${minuteOf(begin)}-${minuteOf(end)}`);
}

test.each<[name: string, minutes: number[], until: number, expected: string[]]>([
  ['a report in time', [0, 4], 6, ['live 0-6']],
  ['silence now', [0, 4], 30, ['live 0-9', 'stale 9-19', 'offline 19-30']],
  ['a silence that ended', [0, 10, 11], 12, ['live 0-5', 'stale 5-10', 'live 10-12']],
  ['an offline host that returned', [0, 60], 61, ['live 0-5', 'stale 5-15', 'offline 15-60', 'live 60-61']],
  ['a lost connection', [0, -2], 4, ['live 0-2', 'stale 2-4']],
  ['a connection that is lost for long', [0, -2], 20, ['live 0-2', 'stale 2-17', 'offline 17-20']],
  ['several reports of a lost connection', [0, -2, -3, -4, 6], 7, ['live 0-2', 'stale 2-6', 'live 6-7']],
  [
    'a lost connection of an offline host',
    [0, 20, -60, 61],
    62,
    [
      ...['live 0-5', 'stale 5-15', 'offline 15-20', 'live 20-25', 'stale 25-35'],
      ...['offline 35-60', 'stale 60-61', 'live 61-62'],
    ],
  ],
])('%s', (_, minutes, until, expected) => {
  expect(shown([reportsAt(...minutes)], until)).toEqual(expected);
});

test('a node has the best state of its processes, from their first report on', () => {
  const [first, second] = [reportsAt(0, 20), reportsAt(8, 12)];
  expect(shown([first, second], 24)).toEqual(['live 0-5', 'stale 5-8', 'live 8-17', 'stale 17-20', 'live 20-24']);
  expect(shown([first, undefined], 24)).toEqual(shown([first], 24));
  expect(shown([undefined], 24)).toEqual([]);
});

test('a report of a version without histories begins one', () => {
  const { history: _, ...old } = reportsAt(0);
  const next: Report = { at: START + 10 * MINUTE, agents: {}, history: historyAfter(old, life, START + 10 * MINUTE) };
  expect(shown([old], 4)).toEqual(['live 0-4']);
  expect(shown([next], 12)).toEqual(['live 0-5', 'stale 5-10', 'live 10-12']);
  // Another process could have been better before.
  expect(shown([old, reportsAt(-0.5, 1)], 4)).toEqual(['live 0-4']);
});

test('states before unknown ones are omitted', () => {
  const { history: _, ...old } = reportsAt(30);
  expect(shown([reportsAt(0), old], 32)).toEqual(['live 30-32']);
  expect(shown([reportsAt(0, 28), old], 32)).toEqual(['live 28-32']);
});

test('with too many interruptions the history begins after the oldest dropped one', () => {
  const count = MAX_INTERRUPTIONS + 3;
  const report = reportsAt(...Array.from({ length: count + 1 }, (_, index) => index * 10));
  const { interruptions, ...rest } = historyOf(report);
  expect(rest).toEqual({ since: START + 30 * MINUTE, isWhole: false });
  expect(interruptions).toHaveLength(MAX_INTERRUPTIONS);
  expect(shown([report], count * 10 + 1).slice(0, 2)).toEqual(['live 30-35', 'stale 35-40']);
});

test('interruptions of the day before are dropped, and the states after them stay known', () => {
  const minutes = Array.from({ length: 500 }, (_, index) => 20 + index * 4);
  const report = reportsAt(0, ...minutes);
  expect(report.history).toEqual([]);
  const day = dayOf(
    timelineOf(toHeartbeat({ ...newHeartbeat(place.object, new Date(START)), [processAttribute('a')]: report })),
    new Date(report.at),
  );
  expect(day).toMatchObject({ begin: report.at - HISTORY_MS, availability: 1 });
});

test('after the clock was set back, the history contains nothing in the future', () => {
  const report = reportsAt(0, 10, 30, 7);
  expect(shown([report], 8)).toEqual(['live 0-8']);
  expect(shown([reportsAt(0, 10, 30, 15)], 18)).toEqual(['live 0-5', 'stale 5-10', 'live 10-18']);
  expect(shown([reportsAt(0, 10, 30, 10)], 12)).toEqual(['live 0-5', 'stale 5-10', 'live 10-12']);
  expect(shown([reportsAt(60, 20)], 22)).toEqual(['live 20-22']);
});

test('repeated reports of a lost connection are one interruption', () => {
  expect(historyOf(reportsAt(0, -2, -3, -4, 6)).interruptions).toEqual([
    { staleAt: START + 2 * MINUTE, offlineAt: START + 6 * MINUTE, endAt: START + 6 * MINUTE },
  ]);
});

test('a day has a limited number of intervals, and begins with the oldest', () => {
  const steps = Array.from({ length: 700 }, (_, index): Step => [START + index * MINUTE, index % 2 ? 'live' : 'stale']);
  const { begin, intervals, availability } = dayOf(steps, new Date(START + 700 * MINUTE));
  expect([begin, intervals.length, availability]).toEqual([START + 200 * MINUTE, 500, 0.5]);
});

test('availability is rounded down', () => {
  const item = newHeartbeat(place.object, new Date(START));
  const of = (report: Report) =>
    timelineOf(toHeartbeat({ ...item, stale_after: 300, offline_after: 900, [processAttribute('a')]: report }));
  const almost = reportsAt(0, 5 + 1 / 6000, ...Array.from({ length: 300 }, (_, index) => 9 + index * 4));
  expect(dayOf(of(almost), new Date(almost.at)).availability).toBe(0.99999);
  expect(dayOf(of(reportsAt(0, 10)), new Date(START + 10 * MINUTE)).availability).toBe(0.5);
  expect(dayOf(of(reportsAt(0)), new Date(START + 20 * HOUR)).availability).toBe(0.00416);
});

test('an interruption is forgotten 24 hours after its end', () => {
  const DAY = 86_400_000;
  const rarely = { lifetime: 'permanent', staleAfter: 2 * 86_400, offlineAfter: 3 * 86_400, removeAfter: 0 } as const;
  const history = [START - HOUR, 1, START, 1000, 0];
  const kept = (at: number) => historyAfter({ at: START, agents: {}, history }, rarely, at);
  expect([kept(START + DAY - 1), kept(START + DAY)]).toEqual([history, []]);
});
