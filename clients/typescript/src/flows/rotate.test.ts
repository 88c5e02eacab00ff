import { createClient, InventoryError } from '../index.ts';
import { rotateKey } from './rotate.ts';

const error = (status: number) =>
  Response.json({ status: 'INTERNAL', code: 13, message: 'No.', details: [] }, { status });
const rotated = (key: string) => Response.json({ key_id: 'id', key });

/** Rotates with a server that gives these answers to rotations, the last one again and again. */
async function rotate(answers: readonly Response[]): Promise<{ rotations: number; stored: string[]; http?: number }> {
  const stored: string[] = [];
  let rotations = 0;
  const client = createClient({
    url: 'https://inventory.example',
    key: 'minv_former',
    attempts: 1,
    fetch: (url) =>
      Promise.resolve(
        url.endsWith('/v1/caller')
          ? Response.json({})
          : answers[Math.min((rotations += 1), answers.length) - 1]!.clone(),
      ),
  });
  try {
    await rotateKey(client, { overlap: '1h', store: (key) => void stored.push(key) });
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

test.each([403, 429, 500])('a rotation that was refused with %i is not repeated', async (status) => {
  expect(await rotate([error(status)])).toEqual({ rotations: 1, stored: [], http: status });
});
