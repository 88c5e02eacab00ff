import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { commandCall } from '../../../../tests/support/command-call.ts';
import { run } from './pull.ts';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'inventory-pull-'))));
afterEach(() => rm(folder, { recursive: true }));

/** `pull` from an empty inventory. */
async function pull(options: object) {
  const answer = ({ path }: { path: string }) =>
    path.startsWith('/v1/export') ? new Response('{"kind":"end"}\n') : { nodes: [], services: [], agents: [] };
  const call = commandCall({ options: { ...options }, answer });
  await run(call);
  return { out: call.out(), err: call.err() };
}

test.each([
  [{ selector: 'team=a' }, { selector: 'team=a' }],
  [{ prefix: 'db-' }, { name_prefix: 'db-' }],
  [
    { selector: 'team=a', prefix: 'db-' },
    { selector: 'team=a', name_prefix: 'db-' },
  ],
])('%j is the scope of the state', async (options, scope) => {
  expect(parse((await pull(options)).out).scope).toEqual(scope);
});

test('without a scope nothing is read', async () => {
  const call = commandCall({});
  await expect(run(call)).rejects.toMatchObject({ exit: 'usage' });
  expect(call.sent).toEqual([]);
});

test('a file in a folder is named for its scope, and its path is shown', async () => {
  const directory = join(folder, 'new');
  const { out, err } = await pull({ directory, selector: 'team=a, env in (x)' });
  await pull({ directory, prefix: 'db/1' });
  expect([out, err]).toEqual(['', `${join(directory, 'team=a_env_in_x_.yaml')}\n`]);
  expect((await readdir(directory)).toSorted()).toEqual(['db_1.yaml', 'team=a_env_in_x_.yaml']);
  expect(parse(await readFile(join(directory, 'db_1.yaml'), 'utf8')).scope).toEqual({ name_prefix: 'db/1' });
});
