import { mock } from 'node:test';
import { inTime, isTooLate } from './deadline.ts';

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
afterEach(() => mock.timers.reset());

test('the result of the work, or its error', async () => {
  expect(await inTime(5, () => Promise.resolve(7))).toBe(7);
  const error = new Error('x');
  await expect(inTime(5, () => Promise.reject(error))).rejects.toBe(error);
});

test('at the deadline the caller gets an error, and the work must begin nothing more', async () => {
  let proceed: () => void = () => undefined;
  const late: boolean[] = [];
  const state = { isDone: false };
  const work = inTime(5, async () => {
    late.push(isTooLate());
    await new Promise<void>((resolve) => (proceed = resolve));
    late.push(isTooLate());
    state.isDone = true;
  });
  mock.timers.tick(4);
  expect(await Promise.race([work, new Promise((resolve) => setImmediate(() => resolve('working')))])).toBe('working');
  mock.timers.tick(1);
  await expect(work).rejects.toMatchObject({ kind: 'unavailable', fault: 'deadline', httpStatus: 503 });
  proceed();
  while (!state.isDone) await new Promise(setImmediate);
  expect(late).toEqual([false, true]);
});

test('work that was in time is never too late, and nor is work without a deadline', async () => {
  expect(isTooLate()).toBe(false);
  let later: () => boolean = () => true;
  await inTime(5, () => {
    later = isTooLate;
    return Promise.resolve();
  });
  mock.timers.tick(100);
  expect(later()).toBe(false);
});

test('deadlines of simultaneous work are separate; an inner one does not end the outer work', async () => {
  const states = await inTime(100, async () => {
    const inner = inTime(5, () => new Promise(() => undefined)).catch(() => 'late');
    mock.timers.tick(5);
    return [await inner, isTooLate()];
  });
  expect(states).toEqual(['late', false]);
});
