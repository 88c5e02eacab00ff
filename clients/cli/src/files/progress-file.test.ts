import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandCall } from '../../../../tests/support/command-call.ts';
import type { Settings } from '../connection/settings.ts';
import { isWhole, progressOf } from './progress-file.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inventory-progress-'));
  path = join(folder, 'progress');
});
afterEach(() => rm(folder, { recursive: true }));

const progress = (input = 'lines', { name = 'import', url = 'https://a' } = {}) => {
  const call = commandCall({ options: { progressFile: path } });
  return progressOf({ ...call, name, settings: () => Promise.resolve({ url } as Settings) }, input);
};

test('a repeated command continues with the stored progress, and leaves none at the end', async () => {
  const first = await progress();
  expect(first.stored).toBeUndefined();
  first.store({ done: 3 });
  const second = await progress();
  expect(second.stored).toMatchObject({ done: 3 });
  second.store({ done: 5 });
  expect((await progress()).stored).toMatchObject({ done: 5 });
  second.finish();
  second.finish();
  expect(await readdir(folder)).toEqual([]);
  expect((await progress()).stored).toBeUndefined();
});

test('the file contains no input of the command', async () => {
  (await progress('secret')).store({ done: 1 });
  expect(await readFile(path, 'utf8')).not.toContain('secret');
});

test('progress of other work is refused', async () => {
  (await progress()).store({ done: 1 });
  await expect(progress('other lines')).rejects.toMatchObject({ message: expect.stringContaining('another input') });
  await expect(progress('lines', { name: 'batch' })).rejects.toMatchObject({ exit: 'usage' });
  await expect(progress('lines', { url: 'https://b' })).rejects.toMatchObject({ exit: 'usage' });
  const stored = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify({ ...stored, format: 2 }));
  await expect(progress()).rejects.toMatchObject({ message: expect.stringContaining('another version') });
});

test.each(['{', '[]', '7'])('%j is no progress file', async (text) => {
  await writeFile(path, text);
  await expect(progress()).rejects.toMatchObject({ message: expect.stringContaining('is no progress file') });
});

test('a file that cannot be written is refused before the work', async () => {
  path = join(folder, 'absent', 'progress');
  await expect(progress()).rejects.toMatchObject({ exit: 'usage' });
});

test('without the option nothing is stored', async () => {
  const none = await progressOf(commandCall({}), 'lines');
  none.store({ done: 1 });
  none.finish();
  expect([none.stored, await readdir(folder)]).toEqual([undefined, []]);
});

test('a count is a whole number of at least 0', () => {
  expect([0, 1, 2 ** 53 - 1].map(isWhole)).toEqual([true, true, true]);
  expect([-1, 0.5, 2 ** 53, NaN, '1', undefined].map(isWhole)).toEqual(Array(6).fill(false));
});

test('a file that cannot be read is an error of use', async () => {
  path = folder;
  await expect(progress()).rejects.toMatchObject({ exit: 'usage', message: expect.stringContaining('EISDIR') });
});
