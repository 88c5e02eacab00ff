import type { Clock } from '../clock.ts';
import { createClient, InventoryError } from '../index.ts';
import { rotateKey } from './rotate.ts';

const error = (status: number) =>
  Response.json({ status: 'INTERNAL', code: 13, message: 'No.', details: [] }, { status });
const rotated = (key: string) => Response.json({ key_id: 'id', key });

/** The pauses between attempts, in milliseconds. They take no time in this test. */
const pauses: number[] = [];
beforeEach(() => (pauses.length = 0));

const hasty: Clock = {
  now: () => 0,
  after: (time, work) => {
    pauses.push(time);
    setImmediate(work);
    return () => undefined;
  },
};

/** Rotates with a server that gives these answers to rotations, the last one again and again. */
async function rotate(
  answers: readonly Response[],
  signal?: AbortSignal,
  clock = hasty,
): Promise<{ rotations: number; stored: string[]; http?: number }> {
  const stored: string[] = [];
  let rotations = 0;
  const client = createClient({
    url: 'https://inventory.example',
    key: 'minv_former',
    attempts: 1,
    // No attempt of this test is late.
    clock: { now: () => 0, after: () => () => undefined },
    fetch: (url) => {
      if (!url.endsWith('/v1/caller')) {
        rotations += 1;
        return Promise.resolve(answers[Math.min(rotations, answers.length) - 1]!.clone());
      }
      // The new key is used after it is stored.
      expect(stored).toHaveLength(1);
      return Promise.resolve(Response.json({}));
    },
  });
  try {
    await rotateKey(client, { overlap: '1h', signal, clock, store: (key) => void stored.push(key) });
    return { rotations, stored };
  } catch (failure) {
    return { rotations, stored, http: failure instanceof InventoryError ? failure.http : -1 };
  }
}

test('a rotation whose outcome is unclear is repeated; the key of the last one is stored', async () => {
  expect(await rotate([error(502), error(504), rotated('minv_new')])).toEqual({ rotations: 3, stored: ['minv_new'] });
});

test('a rotation is tried four times at most', async () => {
  expect(await rotate([error(503)])).toEqual({ rotations: 4, stored: [], http: 503 });
});

test('the pauses before repetitions grow, and follow Retry-After', async () => {
  await rotate([error(503)]);
  expect(pauses).toHaveLength(3);
  expect(pauses.map((time, index) => time >= 250 * 2 ** index && time <= 500 * 2 ** index)).toEqual([true, true, true]);
  pauses.length = 0;
  await rotate([Response.json({}, { status: 503, headers: { 'Retry-After': '7' } }), rotated('minv_new')]);
  expect(pauses).toEqual([7000]);
});

test('an abort ends the pause, and nothing is repeated', async () => {
  const controller = new AbortController();
  const aborting: Clock = {
    now: () => 0,
    after: () => {
      queueMicrotask(() => controller.abort());
      return () => undefined;
    },
  };
  expect(await rotate([error(503)], controller.signal, aborting)).toEqual({ rotations: 1, stored: [], http: -1 });
});

test.each([403, 429, 500])('a rotation that was refused with %i is not repeated', async (status) => {
  expect(await rotate([error(status)])).toEqual({ rotations: 1, stored: [], http: status });
});
