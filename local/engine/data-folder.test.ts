import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FOLDER_FORMAT, takeDataFolder } from './data-folder.ts';
import { StartFailure } from '../process/failure.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'data-folder-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const formatFile = () => join(folder, 'format');

test.each([
  ['no format', undefined],
  ['an older format', '0\n'],
  ['this format', `${FOLDER_FORMAT}\n`],
])('a folder with %s is taken, and has this format afterwards', async (_name, text) => {
  if (text !== undefined) await writeFile(formatFile(), text);
  const taken = await takeDataFolder(folder);
  expect(await readFile(formatFile(), 'utf8')).toBe(`${FOLDER_FORMAT}\n`);
  await taken.release();
});

test.each([
  ['a newer format', `${FOLDER_FORMAT + 1}\n`, `has format ${FOLDER_FORMAT + 1}, and this version reads`],
  ['a format that is no number', 'x', 'contains no number'],
])('a folder with %s is refused, stays as it is, and is not locked', async (_name, text, message) => {
  await writeFile(formatFile(), text);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const refused = takeDataFolder(folder);
    await expect(refused).rejects.toBeInstanceOf(StartFailure);
    await expect(refused).rejects.toThrow(message);
  }
  expect(await readFile(formatFile(), 'utf8')).toBe(text);
  expect((await readdir(folder)).sort()).toEqual(['format', 'server.lock']);
});
