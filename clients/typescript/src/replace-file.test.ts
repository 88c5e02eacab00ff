import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { replaceFile } from './replace-file.ts';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'replace-file-'))));
afterEach(() => rm(folder, { recursive: true }));

test('a file has the new text, and only its owner can read it', async () => {
  const path = join(folder, 'key');
  await writeFile(path, 'former', { mode: 0o644 });
  replaceFile(path, 'new');
  const { mode } = await stat(path);
  expect([await readFile(path, 'utf8'), mode & 0o777, await readdir(folder)]).toEqual(['new', 0o600, ['key']]);
});

test('a failure leaves no temporary file', async () => {
  await mkdir(join(folder, 'key', 'within'), { recursive: true });
  expect(() => replaceFile(join(folder, 'key'), 'new')).toThrow();
  expect(await readdir(folder)).toEqual(['key']);
});
