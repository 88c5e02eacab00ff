import type { MonotonicClock } from '../../shared/core/monotonic-clock.ts';

/** The time at which tests take place, in milliseconds. The time of the machine is another one. */
export const TEST_TIME = Date.parse('2026-03-02T10:00:00.000Z');

/** This number of milliseconds later; a negative number: before. */
export const testTime = (laterMilliseconds = 0): Date => new Date(TEST_TIME + laterMilliseconds);

/** A clock that begins then and runs as another one does. */
export function runningFromTestTime({ now }: Pick<MonotonicClock, 'now'>): () => Date {
  const start = now();
  return () => testTime(now() - start);
}

/** A clock that begins then. Each reading is a millisecond later, so that what happens later has a later time. */
export function testClock(): () => Date {
  let reading = 0;
  return () => testTime(++reading);
}
