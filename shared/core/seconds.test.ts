import { endAfter, secondsOf } from './seconds.ts';

test('nothing ends before its time, or more than a second after it', () => {
  for (const milliseconds of [0, 1, 500, 999]) {
    const start = new Date(1_800_000_000_000 + milliseconds);
    const end = endAfter(start, 60);
    const hasEnded = (after: number) => end <= secondsOf(new Date(start.getTime() + after));
    expect([hasEnded(59_999), hasEnded(61_000)]).toEqual([false, true]);
  }
});
