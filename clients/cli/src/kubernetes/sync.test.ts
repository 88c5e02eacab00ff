import { pausingClock } from '../../../../tests/support/command-call.ts';
import type { DatabasePods } from './follow-pods.ts';
import { syncPods } from './sync.ts';

const pods = (name: string): DatabasePods => new Map([[name, {} as never]]);

/** Events of pods at these times in milliseconds; undefined: the pods are unknown. Then the source ends. */
async function reconciled(
  events: readonly (readonly [at: number, pods: DatabasePods | undefined])[],
  results: boolean[] = [],
) {
  const clock = pausingClock();
  const { signal } = new AbortController();
  const calls: [at: number, name: string | undefined][] = [];
  async function* source(): AsyncGenerator<DatabasePods | undefined, void, void> {
    for (const [at, value] of events) {
      while (clock.elapsed() < at) await Promise.resolve();
      yield value;
    }
    while (clock.elapsed() < 100_000) await Promise.resolve();
  }
  const reconcile = (value: DatabasePods) => {
    calls.push([clock.elapsed(), [...value.keys()][0]]);
    return Promise.resolve(results.shift() ?? true);
  };
  // Time passes in steps until the source ends.
  const state = { isOver: false };
  const waits: { at: number; resolve: () => void }[] = [];
  const pause = (milliseconds: number, stop?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      waits.push({ at: clock.elapsed() + milliseconds, resolve });
      stop?.addEventListener('abort', () => reject(new Error('stopped')));
    });
  const ended = syncPods(
    source(),
    reconcile,
    { quiet: 2000, longest: 5000 },
    { signal, clock: { ...clock, pause } },
  ).then(() => (state.isOver = true));
  while (!state.isOver) {
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    await clock.pause(500);
    for (const { resolve } of waits.filter(({ at }) => at <= clock.elapsed())) resolve();
  }
  await ended;
  return calls;
}

test('the last pods are reconciled once nothing changes for the quiet time', async () => {
  expect(
    await reconciled([
      [0, pods('a')],
      [1000, pods('b')],
    ]),
  ).toEqual([[3000, 'b']]);
});

test('continuous changes delay it at most for the longest time', async () => {
  const events = Array.from({ length: 7 }, (_, index) => [index * 1000, pods(String(index))] as const);
  const calls = await reconciled(events);
  expect(calls.map(([at]) => at)).toEqual([5000, 8000]);
});

test('a reconciliation that failed is repeated after the longest time', async () => {
  expect(await reconciled([[0, pods('a')]], [false, true])).toEqual([
    [2000, 'a'],
    [7000, 'a'],
  ]);
});

test('nothing is reconciled while the pods are unknown', async () => {
  expect(
    await reconciled([
      [0, pods('a')],
      [1000, undefined],
    ]),
  ).toEqual([]);
});
