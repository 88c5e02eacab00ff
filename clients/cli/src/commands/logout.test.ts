import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandCall, refusal } from '../../../../tests/support/command-call.ts';
import { readCredentials, storeCredential, writeConfig } from '../connection/config.ts';
import type { World } from '../core/world.ts';
import { run } from './logout.ts';

let home: string;
beforeEach(async () => (home = await mkdtemp(join(tmpdir(), 'inventory-logout-'))));
afterEach(() => rm(home, { recursive: true }));

/** `logout` of one of two contexts whose keys are stored; the server answers the question who the caller is. */
async function logout(caller: () => Response, options: object = {}, env: Record<string, string> = {}) {
  const sent: [string | undefined, string][] = [];
  const fetch: World['fetch'] = (url, { method, headers }) => {
    sent.push([headers['Authorization'], `${method} ${url}`]);
    return Promise.resolve(method === 'DELETE' ? new Response(null, { status: 204 }) : caller());
  };
  const { world, ...call } = commandCall({ options: { ...options }, world: { env: { HOME: home, ...env }, fetch } });
  await writeConfig(world, { current: 'a', contexts: { a: { url: 'https://a' }, b: { url: 'https://b' } } });
  for (const name of ['a', 'b']) await storeCredential(world, name, { key: `minv_${name}` });
  const failure: unknown = await run({ ...call, world }).catch((error: unknown) => error);
  return { failure, sent, stored: [...(await readCredentials(world)).keys()] };
}

const session = () => Response.json({ kind: 'session', id: 's1' });

test('ends the session, and forgets its key', async () => {
  expect(await logout(session)).toEqual({
    failure: undefined,
    sent: [
      ['Bearer minv_a', 'GET https://a/v1/caller'],
      ['Bearer minv_a', 'DELETE https://a/v1/sessions/s1'],
    ],
    stored: ['b'],
  });
});

test.each([
  [{ context: 'b' }, {}],
  [{}, { INVENTORY_CONTEXT: 'b' }],
])('with %j and %j the named context is logged out', async (options, env) => {
  const { sent, stored } = await logout(session, options, env);
  expect([sent.at(-1)?.[1], stored]).toEqual(['DELETE https://b/v1/sessions/s1', ['a']]);
});

test('a key that is no session stays valid, and is forgotten', async () => {
  const { sent, stored } = await logout(() => Response.json({ kind: 'api_key', id: 'k' }));
  expect([sent.length, stored]).toEqual([1, ['b']]);
});

test('an ended session is forgotten, and after another error the key stays', async () => {
  expect(await logout(() => refusal(401))).toMatchObject({ failure: undefined, stored: ['b'] });
  expect(await logout(() => refusal(403))).toMatchObject({ failure: { http: 403 }, stored: ['b', 'a'] });
});

test('without a stored key nothing is sent', async () => {
  const call = commandCall({ world: { env: { HOME: home } } });
  await expect(run(call)).rejects.toMatchObject({ message: 'No key is stored.', exit: 'missing' });
});
