import { manualClock } from '../../tests/support/manual-clock.ts';
import { every, type MonotonicClock, pause, type TimerOptions } from './monotonic-clock.ts';

test('a repetition starts its work after each interval until it is ended', () => {
  const clock = manualClock();
  const times: number[] = [];
  const end = every(clock, 100, () => times.push(clock.now()));
  clock.advance(350);
  end();
  clock.advance(1000);
  expect(times).toEqual([100, 200, 300]);
});

test('the work of a repetition can end it', () => {
  const clock = manualClock();
  let runs = 0;
  const end = every(clock, 100, () => {
    runs += 1;
    end();
  });
  clock.advance(1000);
  expect(runs).toBe(1);
});

test('a timer of a repetition or pause keeps the process alive only if its caller says so', () => {
  const clock = manualClock();
  const seen: (TimerOptions | undefined)[] = [];
  const after: MonotonicClock['after'] = (milliseconds, work, options) => {
    seen.push(options);
    return clock.after(milliseconds, work);
  };
  every({ after }, 100, () => undefined, { ref: false });
  clock.advance(100);
  void pause({ monotonic: { ...clock, after } }, 100, { ref: false });
  expect(seen).toEqual([{ ref: false }, { ref: false }, { ref: false }]);
});
