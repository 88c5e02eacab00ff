import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandCall, type SentRequest } from '../../../../tests/support/command-call.ts';
import type { Settings } from '../connection/settings.ts';
import { run } from './import.ts';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'inventory-import-'))));
afterEach(() => rm(folder, { recursive: true }));

const line = (id: string) => `{"kind":"node","object":{"node_id":"${id}"}}`;

/** `import`, whose input is this text; the node with the id `wrong` is refused. */
function imported(args: string[], options: object = {}, input = '') {
  const call = commandCall({
    args,
    options: { ...options },
    world: { readInput: () => Promise.resolve(input) },
    answer: ({ method, path, body }: SentRequest) => {
      if (method === 'GET') return { nodes: [], services: [], agents: [] };
      if (!path.startsWith('/v1/import'))
        return { results: body.operations.map(() => ({ status: 409, error: { message: 'Taken.', details: [] } })) };
      return {
        results: body.map(({ kind, object: { node_id: id } }: { kind: string; object: { node_id: string } }) =>
          id === 'wrong'
            ? {
                kind,
                id,
                outcome: 'refused',
                error: { message: 'No.', details: [{ field: '1.object.address', message: 'Wrong.' }] },
              }
            : { kind, id, outcome: 'added' },
        ),
      };
    },
  });
  return { call, ended: run(call) };
}

test('imports the lines of all files, and counts them', async () => {
  const files = ['a', 'b'].map((name) => join(folder, name));
  await writeFile(files[0]!, `${line('1')}\n{"kind":"end","complete":true}\n`);
  await writeFile(files[1]!, line('2'));
  const { call, ended } = imported(files);
  expect(await ended).toBeUndefined();
  expect(call.sent.map(({ path, body }) => [path, body.length])).toEqual([['/v1/import?dry_run=false', 2]]);
  expect([call.out(), call.err()]).toEqual(['2 added, 0 changed, 0 unchanged, 0 refused.\n', '']);
});

test('refused lines are numbered and written to a file, and the import is partial', async () => {
  const refused = join(folder, 'refused');
  const { call, ended } = imported(['-'], { refused }, `${line('1')}\n\n${line('wrong')}\n`);
  expect(await ended).toBe('partial');
  expect(call.err()).toBe('line 3: node wrong: address: Wrong.\n');
  expect(call.out()).toBe('1 added, 0 changed, 0 unchanged, 1 refused.\n');
  expect(await readFile(refused, 'utf8')).toBe(`${line('wrong')}\n`);
});

test('a dry run says so to the server and to people; programs get the totals', async () => {
  const people = imported(['-'], { dryRun: true }, line('1'));
  await people.ended;
  expect(people.call.sent[0]?.path).toBe('/v1/import?dry_run=true');
  expect(people.call.out()).toBe('Would be: 1 added, 0 changed, 0 unchanged, 0 refused.\n');
  const programs = imported(['-'], { output: 'json' }, line('1'));
  await programs.ended;
  expect(JSON.parse(programs.call.out())).toEqual({ added: 1, changed: 0, unchanged: 0, refused: 0 });
});

test('a progress file is for the time of the import', async () => {
  const progressFile = join(folder, 'progress');
  const { call, ended } = imported(['-'], { progressFile }, line('1'));
  await expect(ended).rejects.toThrow('no settings');
  const settings = () => Promise.resolve({ url: 'https://a' } as Settings);
  expect(await run({ ...call, settings })).toBeUndefined();
  expect(call.out()).toBe('1 added, 0 changed, 0 unchanged, 0 refused.\n');
  await expect(readFile(progressFile)).rejects.toThrow('ENOENT');
});

test('--print only prints the lines', async () => {
  const { call, ended } = imported(['-'], { print: true }, line('1'));
  await ended;
  expect([call.out(), call.sent]).toEqual([`${line('1')}\n`, []]);
});

test('CSV rows are written, and refused ones with their header to a file', async () => {
  const [file, refused] = [join(folder, 'hosts.CSV'), join(folder, 'refused')];
  const text = 'node_name,address\ndb-1,10.0.0.1\n';
  await writeFile(file, text);
  const { call, ended } = imported([file], { refused, default: ['type=generic'] });
  expect(await ended).toBe('partial');
  expect(call.err()).toBe(`${file}:2:1 node db-1: Taken.\n`);
  expect(await readFile(refused, 'utf8')).toBe(text);
  const input = imported(['-'], { dryRun: true, default: ['type=generic'] }, text);
  expect(await input.ended).toBeUndefined();
  expect(input.call.out()).toBe('Would be: 1 added, 0 changed, 0 unchanged, 0 refused.\n');
});

test.each([
  [[], {}, 'Name files of an export or in CSV; - is the standard input.'],
  [['a.csv', 'b'], {}, 'Import files in CSV alone, without lines of an export.'],
  [
    ['a.csv'],
    { progressFile: 'p' },
    '--progress-file is for lines of an export: files in CSV are imported again as a whole.',
  ],
  [['a.csv', 'b.csv'], { refused: 'r' }, '--refused is for one file in CSV.'],
  [['-'], { dryRun: true, progressFile: 'p' }, '--dry-run takes no --progress-file.'],
  [['-'], { refused: '/absent/r' }, expect.stringContaining('ENOENT')],
  [['a.csv'], { refused: '/absent/r' }, expect.stringContaining('/absent/r')],
])('%j with %j is refused before a request', async (args, options, message) => {
  const { call, ended } = imported(args, options, line('1'));
  await expect(ended).rejects.toMatchObject({ message, exit: 'usage' });
  expect(call.sent).toEqual([]);
});

describe('--from-pmm', () => {
  const reply = (nodes: object) => writeFile(join(folder, 'nodes'), JSON.stringify(nodes));

  test('an object is printed as the line that would be imported', async () => {
    const id = '00000000-0000-4000-8000-000000000002';
    // JSON, whatever its name says.
    const file = join(folder, 'nodes.csv');
    await writeFile(file, JSON.stringify({ generic: [{ node_id: id, node_name: 'db-1', address: 'a' }] }));
    const { call, ended } = imported([file], { fromPmm: true, print: true });
    await ended;
    expect(JSON.parse(call.out())).toMatchObject({ kind: 'node', object: { node_id: id, node_name: 'db-1' } });
  });

  test('a file that is no JSON is refused', async () => {
    await writeFile(join(folder, 'nodes'), '{');
    const { ended } = imported([join(folder, 'nodes')], { fromPmm: true });
    await expect(ended).rejects.toMatchObject({ message: `${join(folder, 'nodes')} is not JSON.` });
  });

  test('equal remarks are one line with their number', async () => {
    const lines = async (count: number) => {
      await reply({
        generic: Array.from({ length: count }, (_, index) => ({ node_name: `db-${index}`, address: 'a' })),
      });
      const { call, ended } = imported([join(folder, 'nodes')], { fromPmm: true, skipInvalid: true, print: true });
      await ended;
      return call.err().split('\n');
    };
    expect(await lines(1)).toContainEqual(expect.stringMatching(/^\S+ node undefined: node_id Required\.$/));
    expect(await lines(2)).toContainEqual(expect.stringMatching(/^\S+ node undefined and 1 more: node_id Required\.$/));
  });

  test('objects that cannot be imported stop it, unless they are skipped', async () => {
    const id = '00000000-0000-4000-8000-000000000001';
    await reply({ generic: [{ node_id: id, node_name: '', address: 'a' }] });
    const args = [join(folder, 'nodes')];
    const { call, ended } = imported(args, { fromPmm: true });
    await expect(ended).rejects.toMatchObject({
      message: 'Nothing was imported. Correct the files, or skip these objects with --skip-invalid.',
      exit: 'failed',
    });
    expect([call.err(), call.sent]).toEqual([expect.stringContaining('Cannot be imported:\n'), []]);
    const skipped = imported(args, { fromPmm: true, skipInvalid: true, print: true });
    await skipped.ended;
    expect(skipped.call.out()).not.toContain(id);
  });
});
