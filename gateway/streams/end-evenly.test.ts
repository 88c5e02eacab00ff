import { endEvenly } from './end-evenly.ts';

/** Ends sessions, and returns the milliseconds after which each of them ended, with its reason. */
async function endingsOf(count: number, milliseconds: number) {
  const begin = performance.now();
  const endings: { after: number; reason: [string, string] }[] = [];
  const end = (...reason: [string, string]) => {
    endings.push({ after: performance.now() - begin, reason });
  };
  await endEvenly(Array(count).fill({ end }), milliseconds, 'tryLater', 'The server stops.');
  return endings;
}

test('sessions end one after the other, none before its part of the time, with the reason', async () => {
  const endings = await endingsOf(4, 200);
  expect(endings.map(({ reason }) => reason)).toEqual(Array(4).fill(['tryLater', 'The server stops.']));
  // Waits of less than a millisecond are left out, and timers can be early by one.
  for (const [index, { after }] of endings.entries()) expect(after).toBeGreaterThan(index * 50 - 3);
});

test('without time all end at once, also none', async () => {
  expect(await endingsOf(3, 0)).toHaveLength(3);
  expect(await endingsOf(0, 1000)).toEqual([]);
});
