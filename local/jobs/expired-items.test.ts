import { EventEmitter, once } from 'node:events';
import type { LogEntry } from '../../shared/core/log.ts';
import { startExpiry } from './expired-items.ts';

const now = new Date('2026-06-01T00:00:00Z');

/** A millisecond. */
const MINUTES = 1 / 60_000;

/** An engine with this many expired items. */
function engineWith(items: number) {
  const calls: [Date, number][] = [];
  const events = new EventEmitter();
  const deleteExpired = async (time: Date, most: number) => {
    calls.push([time, most]);
    items -= Math.min(items, most);
    if (items === 0) events.emit('empty');
    await new Promise(setImmediate);
    return items > 0;
  };
  return { deleteExpired, calls, isEmpty: once(events, 'empty'), left: () => items };
}

test('all expired items are deleted, a limited number at a time, until the schedule stops', async () => {
  const engine = engineWith(10_000);
  const schedule = startExpiry(engine, { clock: () => now, log: () => undefined }, MINUTES);
  await engine.isEmpty;
  await schedule.stop();
  const { length } = engine.calls;
  for (const [time, most] of engine.calls) {
    expect(time).toBe(now);
    expect(most).toBeLessThanOrEqual(1000);
  }
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  expect(engine.calls).toHaveLength(length);
});

test('a failure is logged, and the next run begins', async () => {
  const logged: LogEntry[] = [];
  const engine = engineWith(1);
  const deleteExpired: typeof engine.deleteExpired = (...call) =>
    logged.length === 0 ? Promise.reject(new Error('disk full')) : engine.deleteExpired(...call);
  const schedule = startExpiry({ deleteExpired }, { clock: () => now, log: (entry) => logged.push(entry) }, MINUTES);
  await engine.isEmpty;
  await schedule.stop();
  expect(logged).toEqual([
    expect.objectContaining({ level: 'error', message: expect.stringContaining('not deleted') }),
  ]);
});

test('a stop does not wait for all deletions', async () => {
  const engine = engineWith(Infinity);
  const schedule = startExpiry(engine, { clock: () => now, log: () => undefined }, MINUTES);
  while (engine.calls.length === 0) await new Promise(setImmediate);
  await schedule.stop();
  expect(engine.left()).toBe(Infinity);
});
