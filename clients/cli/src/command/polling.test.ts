import { commandCall } from '../../../../tests/support/command-call.ts';
import { Interruption } from '../core/exit-codes.ts';
import { limitedSignal, untilTrue } from './polling.ts';

test('the check is repeated each second until it has a value, which can be false', async () => {
  const call = commandCall({});
  const values = [undefined, undefined, false];
  expect(await untilTrue(call, () => Promise.resolve(values.shift()))).toBe(false);
  expect(call.pauses).toEqual([1000, 1000]);
});

test('an error of the check ends the wait', async () => {
  const call = commandCall({});
  await expect(untilTrue(call, () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(call.pauses).toEqual([]);
});

describe('an interruption', () => {
  const reason = new Interruption('Interrupted.', 'interrupted');

  test('ends a wait with its own reason', async () => {
    const controller = new AbortController();
    const call = commandCall({ world: { signal: controller.signal }, options: { timeout: '1h' } });
    const check = () => {
      controller.abort(reason);
      return Promise.resolve(undefined);
    };
    await expect(untilTrue(call, check)).rejects.toBe(reason);
  });

  test('is no time-out, before or during the wait', () => {
    for (const isEarly of [true, false]) {
      const controller = new AbortController();
      if (isEarly) controller.abort(reason);
      const call = commandCall({ world: { signal: controller.signal }, options: { timeout: '1h' } });
      const { signal, isOver } = limitedSignal(call);
      controller.abort(reason);
      expect([signal.aborted, signal.reason, isOver()]).toEqual([true, reason, false]);
    }
  });
});

test('--timeout limits the whole wait', async () => {
  const call = commandCall({ options: { timeout: '3s' } });
  const signals: boolean[] = [];
  const check = (signal: AbortSignal) => {
    signals.push(signal.aborted);
    return Promise.resolve(undefined);
  };
  await expect(untilTrue(call, check)).rejects.toMatchObject({ exit: 'unanswered', message: 'Not within 3s.' });
  expect(signals).toEqual([false, false, false]);
});

test('the requests of a wait end with the reason that the time is up', async () => {
  const call = commandCall({ options: { timeout: '3s' } });
  const { signal } = limitedSignal(call);
  await call.world.clock.pause(3000);
  expect(signal.reason).toMatchObject({ exit: 'unanswered', message: 'The time is up.' });
});

test('without --timeout nothing limits a wait', () => {
  const call = commandCall({});
  const { signal, isOver } = limitedSignal(call);
  expect([signal, isOver()]).toEqual([call.world.signal, false]);
});
