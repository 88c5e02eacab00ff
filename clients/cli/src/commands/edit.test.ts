import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Answer, commandCall, refusal } from '../../../../tests/support/command-call.ts';
import type { World } from '../core/world.ts';
import { run } from './edit.ts';

const object = { node_id: 'n', node_name: 'db-1', revision: 3, region: 'eu', custom_labels: { team: 'dba' } };

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'inventory-edit-'))));
afterEach(() => rm(folder, { recursive: true }));

/** Files that were kept by a test: removed after it. */
const kept: string[] = [];
afterEach(async () => {
  for (const file of kept.splice(0)) await rm(dirname(file), { recursive: true, force: true });
});

/**
 * Edits a node with a command of the shell as the editor, which gets the file as `$1` and `$N`, the number of its call. The texts
 * that it was given are in the folder.
 */
function edit(command: string, { change = () => object, ...world }: Partial<World> & { change?: Answer } = {}) {
  const count = `N=$(ls '${folder}' | wc -l); cp "$1" '${folder}'/$N;`;
  const call = commandCall({
    args: ['node', 'db-1'],
    world: { env: { PATH: process.env['PATH'], EDITOR: `f() { ${count} ${command}; }; f` }, ...world },
    answer: (request) => (request.method === 'GET' ? { nodes: [object] } : change(request)),
  });
  return {
    call,
    ended: run(call),
    given: async () => {
      const names = await readdir(folder);
      return Promise.all(names.sort().map((name) => readFile(join(folder, name), 'utf8')));
    },
    keptText: async () => {
      const [, file] = /^The text is kept in (.*)$/m.exec(call.err()) ?? [];
      if (file === undefined) return undefined;
      kept.push(file);
      return { text: await readFile(file, 'utf8'), mode: (await stat(file)).mode & 0o777 };
    },
  };
}

test('a valid text is sent as a patch, and its file is removed', async () => {
  const { call, ended, given, keptText } = edit(`sed -i 's/eu/us/; s/team:/env:/' "$1"`);
  await ended;
  expect(call.sent.at(-1)?.body).toEqual({ region: 'us', custom_labels: { team: null, env: 'dba' } });
  expect(await given()).toEqual(['region: eu\ncustom_labels:\n  team: dba\n']);
  expect([call.out(), await keptText()]).toEqual(['node/db-1 changed\n', undefined]);
});

test('a text from which everything was removed clears all values', async () => {
  const { call, ended } = edit(`: > "$1"`);
  await ended;
  expect(call.sent.at(-1)?.body).toEqual({ region: null, custom_labels: null });
});

test.each([
  [
    'a value that is refused',
    `echo 'adress: x' >> "$1"`,
    refusal(400, { status: 'INVALID_ARGUMENT', message: 'Unknown field.' }),
  ],
  ['a value that another object has', `sed -i s/eu/taken/ "$1"`, refusal(409, { message: 'Already exists.' })],
])('after %s the editor opens again, with the error above the text', async (_, mistake, reply) => {
  let isFirst = true;
  const change = () => {
    if (!isFirst) return object;
    isFirst = false;
    return reply;
  };
  const { call, ended, given } = edit(`if [ $N = 0 ]; then ${mistake}; else echo 'az: b' >> "$1"; fi`, { change });
  await ended;
  const [first = '', second = ''] = await given();
  expect(second).toMatch(/^# .*(Unknown field|Already exists)\..*\n/);
  // What was typed is still there.
  expect(second).toMatch(/adress: x|region: taken/);
  expect(first).not.toContain('#');
  expect(call.sent.at(-1)?.body).toMatchObject({ az: 'b' });
});

test.each([['echo "region: [" >> "$1"'], ['echo "- a" > "$1"']])('%s is a mistake too', async (mistake) => {
  const { ended, given } = edit(`if [ $N = 0 ]; then ${mistake}; else echo 'region: us' > "$1"; fi`);
  await ended;
  expect((await given())[1]).toMatch(/^# /);
});

describe('an unaccepted text is kept in a file for its owner', () => {
  const typed = `sed -i s/eu/typed/ "$1"`;

  test('when the person gives up: the editor changes nothing after an error', async () => {
    const change = () => refusal(400, { status: 'INVALID_ARGUMENT', message: 'Wrong.' });
    const { ended, keptText, given } = edit(`[ $N = 0 ] && ${typed} || true`, { change });
    await expect(ended).rejects.toMatchObject({ exit: 'usage', message: 'Wrong.' });
    expect(await given()).toHaveLength(2);
    expect(await keptText()).toEqual({ text: expect.stringContaining('region: typed'), mode: 0o600 });
  });

  test.each([
    ['the server does not answer', () => refusal(503)],
    ['the key is refused', () => refusal(401)],
    ['somebody else has changed the object', () => refusal(412)],
  ])('when %s', async (_, change) => {
    const { ended, keptText } = edit(typed, { change });
    await expect(ended).rejects.toThrow();
    expect(await keptText()).toMatchObject({ text: expect.stringContaining('region: typed') });
  });

  test('when the editor fails', async () => {
    const { call, ended, keptText } = edit(`${typed}; false`);
    await expect(ended).rejects.toMatchObject({ exit: 'failed' });
    expect(await keptText()).toMatchObject({ text: expect.stringContaining('region: typed') });
    expect(call.sent.map(({ method }) => method)).toEqual(['GET']);
  });

  test('when the process ends, at once', async () => {
    const controller = new AbortController();
    const change = () => {
      controller.abort();
      return refusal(503);
    };
    const { call, ended, keptText } = edit(typed, { change, leaving: controller.signal });
    await expect(ended).rejects.toThrow();
    expect(await keptText()).toMatchObject({ text: expect.stringContaining('region: typed') });
    expect(call.err().match(/kept/g)).toHaveLength(1);
  });
});

test('without a change no file remains, however the editor ends', async () => {
  const same = edit('true');
  await same.ended;
  expect([same.call.err(), same.call.sent.length]).toEqual(['Nothing was changed.\n', 1]);
  const failed = edit('false');
  await expect(failed.ended).rejects.toMatchObject({ exit: 'failed' });
  expect(failed.call.err()).toBe('');
});
