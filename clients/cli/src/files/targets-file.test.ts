import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasDigest, writeTargets } from './targets-file.ts';

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'inventory-targets-'))));
afterAll(() => rm(folder, { recursive: true }));

const targets = [{ targets: ['a:1'], labels: { job: 'x' } }];
const digest = createHash('sha256').update(JSON.stringify(targets)).digest('base64url');

test('a file of targets has the digest of the server, and every user can read it', async () => {
  const file = join(folder, 'targets.json');
  expect(hasDigest(file, digest)).toBe(false);
  expect(hasDigest(file, undefined)).toBe(false);
  writeTargets(file, targets);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(targets);
  expect((await stat(file)).mode & 0o777).toBe(0o644);
  expect([hasDigest(file, digest), hasDigest(file, 'other'), hasDigest(file, undefined)]).toEqual([true, false, false]);
});

test('a file that cannot be read or written is an error of use', async () => {
  const path = join(folder, 'folder');
  await mkdir(path);
  const usage = expect.objectContaining({ exit: 'usage' });
  expect(() => hasDigest(path, digest)).toThrow(usage);
  expect(() => writeTargets(join(folder, 'absent', 'file'), targets)).toThrow(usage);
});
