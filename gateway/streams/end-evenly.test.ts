import { manualClock } from '../../tests/support/manual-clock.ts';
import { endEvenly } from './end-evenly.ts';

/** Ends sessions, and returns the milliseconds after which each of them ended, with its reason. */
async function endingsOf(count: number, milliseconds: number) {
  const clock = manualClock();
  const endings: { after: number; reason: [string, string] }[] = [];
  const end = (...reason: [string, string]) => {
    endings.push({ after: clock.now(), reason });
  };
  const ended = endEvenly(clock, Array(count).fill({ end }), milliseconds, 'tryLater', 'The server stops.');
  await clock.pass(milliseconds);
  await ended;
  return endings;
}

test('sessions end one after the other, each at its part of the time, with the reason', async () => {
  const endings = await endingsOf(4, 200);
  expect(endings.map(({ after }) => after)).toEqual([0, 50, 100, 150]);
  expect(endings.map(({ reason }) => reason)).toEqual(Array(4).fill(['tryLater', 'The server stops.']));
});

test('without time all end at once, and an empty set ends', async () => {
  expect((await endingsOf(3, 0)).map(({ after }) => after)).toEqual([0, 0, 0]);
  expect(await endingsOf(0, 1000)).toEqual([]);
});

test('sessions at most a millisecond apart end together, so that timers do not slow down many of them', async () => {
  expect((await endingsOf(8, 4)).map(({ after }) => after)).toEqual([0, 0, 0, 1.5, 1.5, 1.5, 3, 3]);
});
