import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from '../../shared/testing/fast-check.ts';
import type { LogEntry } from '../../shared/core/log.ts';
import type { Send, TableClient } from '../../shared/db/client.ts';
import { forwardClock, LATEST_TIME_FILE, openClock, separateWrites } from './clock.ts';

const start = Date.parse('2026-06-01T00:00:00Z');
const hour = 3_600_000;

let folder: string;
let machine: { wall: number; monotonic: number };
const clocks = { wall: () => machine.wall, monotonic: () => machine.monotonic };
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clock-'));
  machine = { wall: start, monotonic: 5000 };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A client whose calls have no effect, with the layers around them. */
function layered() {
  let fail: Error | undefined;
  let layers: Send = () => (fail === undefined ? Promise.resolve({}) : Promise.reject(fail));
  const client: TableClient = {
    send: () => Promise.resolve({}),
    use: (layer) => (layers = layer(layers)),
    destroy() {},
  };
  const send = (operation: string, error?: Error) => {
    fail = error;
    return layers({ operation, input: {}, command: { input: {} } });
  };
  return { client, send };
}

function pass(milliseconds: number) {
  machine.wall += milliseconds;
  machine.monotonic += milliseconds;
}

test('the time is that of the machine while that one increases', () => {
  const steps: number[] = [];
  const clock = forwardClock(0, (step) => steps.push(step), clocks);
  for (const step of [0, 1, 1000, hour]) {
    pass(step);
    expect(clock.now().getTime()).toBe(machine.wall);
  }
  machine.wall += 24 * hour; // after a suspension
  expect(clock.now().getTime()).toBe(machine.wall);
  expect(steps).toEqual([]);
});

test('after a step back the time continues from the latest one, with one warning, until the machine has caught up', () => {
  const steps: number[] = [];
  const clock = forwardClock(0, (step) => steps.push(step), clocks);
  clock.now();
  machine.wall -= 2 * hour;
  expect(clock.now().getTime()).toBe(start);
  pass(hour);
  expect(clock.now().getTime()).toBe(start + hour);
  machine.wall += 3 * hour;
  expect(clock.now().getTime()).toBe(machine.wall);
  expect(steps).toEqual([2 * hour]);
  machine.wall -= hour;
  clock.now();
  expect(steps).toEqual([2 * hour, hour]);
});

test('a correction of at most a minute stands still, without a warning', () => {
  const steps: number[] = [];
  const clock = forwardClock(0, (step) => steps.push(step), clocks);
  clock.now();
  machine.wall -= 60_000;
  expect(clock.now().getTime()).toBe(start);
  pass(59_000);
  expect(clock.now().getTime()).toBe(start);
  pass(2000);
  expect(clock.now().getTime()).toBe(start + 1000);
  expect(steps).toEqual([]);
});

test('for any clock of the machine, the time never decreases and is never behind the machine', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ wall: fc.integer({ min: -2 * hour, max: 2 * hour }), monotonic: fc.nat(hour) })),
      (steps) => {
        machine = { wall: start, monotonic: 0 };
        const clock = forwardClock(start - hour, () => undefined, clocks);
        let last = 0;
        for (const step of steps) {
          machine.wall += step.wall;
          machine.monotonic += step.monotonic;
          const time = clock.now().getTime();
          expect(time).toBeGreaterThanOrEqual(Math.max(last, machine.wall));
          last = time;
        }
      },
    ),
  );
});

test('the time after a write is later than each time before it; without a write, times of a millisecond are equal', async () => {
  const clock = forwardClock(0, () => undefined, clocks);
  const { client, send } = layered();
  separateWrites({ name: 't', client }, clock);
  expect([clock.now().getTime(), clock.now().getTime()]).toEqual([start, start]);
  await send('GetItem');
  expect(clock.now().getTime()).toBe(start);
  await send('TransactWriteItems');
  expect([clock.now().getTime(), clock.now().getTime()]).toEqual([start + 1, start + 1]);
  await expect(send('PutItem', new Error('no reply'))).rejects.toThrow('no reply');
  expect(clock.now().getTime()).toBe(start + 2);
  pass(1000);
  expect(clock.now().getTime()).toBe(machine.wall);
});

test('a start with a clock behind the record of the last one continues from there and logs it; the record is written at the stop', async () => {
  const logged: LogEntry[] = [];
  const open = () => openClock(folder, (entry) => logged.push(entry), clocks);
  const first = await open();
  const schedule = first.start();
  pass(hour);
  await schedule.stop();
  expect(await readFile(join(folder, LATEST_TIME_FILE), 'utf8')).toBe('2026-06-01T01:00:00.000Z\n');
  expect(logged).toEqual([]);
  machine.wall = start - 24 * hour;
  const second = await open();
  expect(second.now().toISOString()).toBe('2026-06-01T01:00:00.000Z');
  expect(logged).toEqual([
    expect.objectContaining({ level: 'error', message: expect.stringContaining('went back'), seconds: 25 * 3600 }),
  ]);
});

test('a record that is no time is refused, naming the file', async () => {
  await writeFile(join(folder, LATEST_TIME_FILE), 'yesterday');
  await expect(openClock(folder, () => undefined, clocks)).rejects.toThrow(join(folder, LATEST_TIME_FILE));
});
