import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quietWorld } from '../../../../tests/support/command-call.ts';
import { bodyOfCall, readText, readYaml } from './body-file.ts';
import { Options } from '../core/options.ts';

const input = (text: string) => quietWorld({ readInput: () => Promise.resolve(text) });
const body = (text: string, options: object = {}) =>
  bodyOfCall('node', { options: new Options({ file: '-', ...options }), world: input(text) });

test('a text is that of a file, or of the standard input', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'inventory-body-'));
  await writeFile(join(folder, 'a'), 'of the file');
  expect([await readText(join(folder, 'a'), input('')), await readText('-', input('typed'))]).toEqual([
    ...['of the file', 'typed'],
  ]);
  await rm(folder, { recursive: true });
  await expect(readText(folder, input(''))).rejects.toMatchObject({ message: expect.stringContaining('ENOENT') });
});

test('a YAML error has its line, and a second document needs a separate file', async () => {
  await expect(readYaml('-', input('a: 1\nb: [\n'))).rejects.toThrow(/^-:3: /);
  await expect(readYaml('-', input('a: 1\n---\nb: 1\n'))).rejects.toThrow(
    '-:2: Another document begins here. Write it into a file of its own.',
  );
});

test('a file that is absent is no YAML error', async () => {
  await expect(readYaml('/absent/file', input(''))).rejects.toMatchObject({
    exit: 'usage',
    message: expect.stringMatching(/^ENOENT/),
  });
});

test('options precede the fields of the file; labels are merged', async () => {
  expect(await body('region: eu\naz: a\ncustom_labels: { a: "1", b: "1" }', { region: 'us', label: ['b=2'] })).toEqual({
    ...{ region: 'us', az: 'a', custom_labels: { a: '1', b: '2' } },
  });
  expect(await body('region: eu')).toEqual({ region: 'eu' });
  expect(await bodyOfCall('node', { options: new Options({}), world: input('') })).toEqual({});
});

test('a file without an object is refused', async () => {
  await expect(body('- a')).rejects.toMatchObject({ message: '- contains no object.', exit: 'usage' });
});
