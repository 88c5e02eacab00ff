import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandCall, pausingClock } from '../../../../tests/support/command-call.ts';
import { run } from './watch.ts';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'inventory-watch-'))));
afterEach(() => rm(folder, { recursive: true }));

const changes = ['a', 'b', 'c'].map((id) => ({ change_id: id, kind: 'node', id: `node-${id}`, action: 'changed' }));

/** `watch --once --exec` with a page of three changes. The command notes each, and fails at those in the file `fail`. */
function watch(options: object = {}) {
  const call = commandCall({
    options: {
      ...{ once: true, since: 'c0', cursorFile: join(folder, 'cursor') },
      exec: `cd '${folder}'; read line; id=$(echo "$line" | cut -d'"' -f4); echo $id >> seen; ! grep -q "^$id$" fail 2>/dev/null`,
      ...options,
    },
    world: { env: { PATH: process.env['PATH'] } },
    answer: ({ path }) =>
      new URL(path, 'http://x').searchParams.get('since') === 'c0'
        ? { changes, next: 'c1', more: false }
        : { changes: [], next: 'c1', more: false },
  });
  return run(call).then(() => call.out());
}

const seen = async () => (await readFile(join(folder, 'seen'), 'utf8')).trim().split('\n');

test('each change is performed once, however often the command fails within a page', async () => {
  await writeFile(join(folder, 'fail'), 'b\n');
  for (let attempt = 0; attempt < 2; attempt += 1)
    await expect(watch()).rejects.toMatchObject({ exit: 'failed', message: expect.stringContaining('change b') });
  // The change before it is not repeated, and those after it wait.
  expect(await seen()).toEqual(['a', 'b', 'b']);
  await writeFile(join(folder, 'fail'), '');
  await watch();
  await watch();
  expect(await seen()).toEqual(['a', 'b', 'b', 'b', 'c']);
  expect(await readFile(join(folder, 'cursor'), 'utf8')).toBe('c1\n');
});

test('changes that a command gets are printed in no format', async () => {
  for (const output of ['json', 'table']) {
    expect(await watch({ output })).toBe('');
    await rm(join(folder, 'cursor'));
  }
});

describe('without --exec the changes are printed', () => {
  const change = (id: string) => ({
    ...{ change_id: id, time: 't', kind: 'node', id: `node-${id}`, action: 'changed', revision: 2 },
    ...{ actor: { name: 'ann' }, before: { az: 'x' }, after: { az: id } },
  });

  /** Two pages of changes, and then none. */
  async function printed(options: object) {
    const pages = [
      { changes: [change('a')], next: 'c1', more: true },
      { changes: [], next: 'c2', more: true },
      { changes: [change('b')], next: 'c3', more: false },
    ];
    const call = commandCall({
      options: { once: true, since: 'c0', ...options },
      answer: ({ path }) => (path.startsWith('/v1/changes') ? pages.shift() : { nodes: [], services: [], agents: [] }),
    });
    const exit = await run(call);
    return { exit, out: call.out(), paths: call.sent.map(({ path }) => path) };
  }

  test('as a table whose columns are named once', async () => {
    const { exit, out } = await printed({});
    expect(exit).toBeUndefined();
    expect(out.split('\n').map((line) => line.split(/ {3,}/))).toEqual([
      ['TIME', 'ACTION', 'OBJECT', 'REVISION', 'ACTOR', 'CHANGES'],
      ['t', 'changed', 'node/node-a', '2', 'ann', 'az: x -> a'],
      ['t', 'changed', 'node/node-b', '2', 'ann', 'az: x -> b'],
      [''],
    ]);
  });

  test('for programs one per line, as the server sends them', async () => {
    const lines = `${JSON.stringify(change('a'))}\n${JSON.stringify(change('b'))}\n`;
    expect((await printed({ output: 'json' })).out).toBe(lines);
    expect((await printed({ output: 'jsonl' })).out).toBe(lines);
    expect((await printed({ output: 'name' })).out).toBe('node/node-a\nnode/node-b\n');
  });

  test('of some kinds only', async () => {
    const { paths } = await printed({ kinds: 'node,state', output: 'name' });
    expect(new URL(paths[0]!, 'http://a').searchParams.get('kinds')).toBe('node,state');
    await expect(printed({ kinds: 'host' })).rejects.toMatchObject({
      message: '--kinds are node, service, agent, state, not: host',
      exit: 'usage',
    });
  });
});

test('--timeout ends the command as unanswered', async () => {
  const clock = pausingClock();
  const call = commandCall({
    options: { since: 'c0', timeout: '1s' },
    world: { clock },
    answer: async () => {
      await clock.pause(1000);
      return { changes: [], next: 'c0', more: false };
    },
  });
  expect(await run(call)).toBe('unanswered');
  expect(call.sent).toHaveLength(1);
});
