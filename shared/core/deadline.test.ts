import { isPending, type ManualClock, manualClock } from '../../tests/support/manual-clock.ts';
import { adviceAfterFailure, inTime, isTooLate } from './deadline.ts';

let monotonic: ManualClock;
beforeEach(() => {
  monotonic = manualClock();
});

test('returns the result of the work or its error', async () => {
  expect(await inTime({ monotonic }, 5, () => Promise.resolve(7))).toBe(7);
  const error = new Error('x');
  await expect(inTime({ monotonic }, 5, () => Promise.reject(error))).rejects.toBe(error);
});

test('at the deadline the caller gets an error, and no more work begins', async () => {
  let proceed: () => void = () => undefined;
  const late: boolean[] = [];
  const state = { isDone: false };
  const work = inTime({ monotonic }, 5, async () => {
    late.push(isTooLate());
    await new Promise<void>((resolve) => (proceed = resolve));
    late.push(isTooLate());
    state.isDone = true;
  });
  monotonic.advance(4);
  expect(await isPending(work)).toBe(true);
  monotonic.advance(1);
  await expect(work).rejects.toMatchObject({ kind: 'unavailable', fault: 'deadline', httpStatus: 503 });
  proceed();
  while (!state.isDone) await new Promise(setImmediate);
  expect(late).toEqual([false, true]);
});

test('work within its deadline, or without one, is never late', async () => {
  expect(isTooLate()).toBe(false);
  let later: () => boolean = () => true;
  await inTime({ monotonic }, 5, () => {
    later = isTooLate;
    return Promise.resolve();
  });
  monotonic.advance(100);
  expect(later()).toBe(false);
});

test('deadlines of simultaneous work are separate, and an inner one does not end the outer work', async () => {
  const states = await inTime({ monotonic }, 100, async () => {
    const inner = inTime({ monotonic }, 5, () => new Promise(() => undefined)).catch(() => 'late');
    monotonic.advance(5);
    return [await inner, isTooLate()];
  });
  expect(states).toEqual(['late', false]);
});

test('work that changes nothing needs no warning of a change, nor do its parts', async () => {
  const advice = () => Promise.resolve(adviceAfterFailure());
  const part = () => inTime({ monotonic }, 5, advice);
  const [warning, none] = await Promise.all([advice(), inTime({ monotonic }, 5, advice, true)]);
  expect([warning, none]).toEqual([
    'The change may have been made. Check before you repeat it.',
    'Repeat the request later.',
  ]);
  expect(await inTime({ monotonic }, 5, part, true)).toBe(none);
  expect(await inTime({ monotonic }, 5, part)).toBe(warning);
  const late = inTime({ monotonic }, 5, () => inTime({ monotonic }, 1, () => new Promise(() => undefined)), true);
  monotonic.advance(1);
  await expect(late).rejects.toThrow(`The service is slow. ${none}`);
});
