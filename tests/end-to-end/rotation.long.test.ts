/** Keys are rotated under load, and no caller is ever refused: real server, gateway that keeps the authorizer's answers. */
import { setTimeout as delay } from 'node:timers/promises';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { https } from '../support/https.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { basic, bearer, bodyOf, clientOf, PASSWORD } from './client.ts';

const CACHE_SECONDS = 2;
const OVERLAP_SECONDS = 5;
const CALLERS = 12;

let dataDir: string;
let server: RunningServer;
beforeAll(async () => {
  dataDir = await newDataDir();
  const environment = { ADMIN_PASSWORD: PASSWORD, AUTHORIZER_CACHE_SECONDS: String(CACHE_SECONDS) };
  server = await startServer(dataDir, { environment });
});
afterAll(async () => {
  await server.stop();
  await removeDataDir(dataDir);
});

const statusWith = async (key: string) =>
  (await https(server.base, 'GET', '/v1/caller', { headers: { Authorization: bearer(key) } })).status;

/**
 * Calls without a pause until the end, first with the old text and, from some moment within the overlap on, with the new
 * one; as a machine does that fetches its key from where keys are kept.
 */
async function caller(old: string, fresh: Promise<string>, statuses: number[]): Promise<void> {
  let key = old;
  let changeAt = Infinity;
  const end = performance.now() + (OVERLAP_SECONDS + CACHE_SECONDS + 2) * 1000;
  void fresh.then(async (next) => {
    // The last moment leaves a call on its way time to arrive.
    changeAt = performance.now() + Math.random() * (OVERLAP_SECONDS - 1) * 1000;
    await delay(changeAt - performance.now());
    key = next;
  });
  while (performance.now() < end) {
    statuses.push(await statusWith(key));
    await delay(5);
  }
  expect(key).not.toBe(old);
}

test.each([
  ['an Admin', '/v1/api-keys/{key_id}/rotate', true],
  ['the key itself', '/v1/caller/rotate', false],
])(
  `a rotation by %s while ${CALLERS} callers continue refuses none of them, and ends the former secret`,
  async (_, path, byAdmin) => {
    const asAdmin = clientOf(server, basic('admin', PASSWORD));
    const body = { name: path, role: 'Viewer' };
    const old = bodyOf(await asAdmin('POST', '/v1/api-keys', { body }), 201);
    const statuses: number[] = [];
    let rotatedAt = 0;
    const fresh = delay(1000).then(async () => {
      const client = byAdmin ? asAdmin : clientOf(server, bearer(old.key));
      const reply = await client('POST', path.replace('{key_id}', old.key_id), {
        body: { overlap: `${OVERLAP_SECONDS}s` },
      });
      rotatedAt = performance.now();
      return String(bodyOf(reply, 200).key);
    });
    await Promise.all(Array.from({ length: CALLERS }, () => caller(old.key, fresh, statuses)));
    expect(statuses.length).toBeGreaterThan(CALLERS * 20);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect(performance.now()).toBeGreaterThan(rotatedAt + (OVERLAP_SECONDS + CACHE_SECONDS) * 1000);
    expect([await statusWith(old.key), await statusWith(await fresh)]).toEqual([401, 200]);
  },
);

test('a secret that ends while its reply is cached is refused from that second on', async () => {
  const asAdmin = clientOf(server, basic('admin', PASSWORD));
  const old = bodyOf(await asAdmin('POST', '/v1/api-keys', { body: { name: 'kept', role: 'Viewer' } }), 201);
  const rotation = { body: { overlap: '2s' } };
  const { previous_expires_at: end } = bodyOf(
    await asAdmin('POST', `/v1/api-keys/${old.key_id}/rotate`, rotation),
    200,
  );
  await delay(Date.parse(end) - Date.now() - 300);
  // The gateway keeps this answer for two seconds, past the end.
  expect(await statusWith(old.key)).toBe(200);
  await delay(Date.parse(end) - Date.now() + 50);
  expect(await statusWith(old.key)).toBe(401);
});
