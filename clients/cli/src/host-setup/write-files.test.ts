import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostFile } from './host-files.ts';
import { compareFiles, writeFiles } from './write-files.ts';

let root: string;
beforeEach(async () => (root = await mkdtemp(join(tmpdir(), 'host-setup-'))));
afterEach(() => rm(root, { recursive: true }));

const at = (path: string) => join(root, path);
const key: HostFile = { path: '/etc/inventory/key', content: 'one\n', mode: 0o600 };
const unit: HostFile = { path: '/etc/systemd/system/a.service', content: '[Unit]\n', mode: 0o644 };
const folders = [{ path: '/etc/inventory', mode: 0o755 }];

/** Compares and writes. @returns the actions. */
function setUp(files: readonly HostFile[], { isForced = false } = {}): string[] {
  const target = { root, agent: undefined };
  const changes = compareFiles(files, target, isForced);
  if (!changes.some(({ action }) => action === 'refused')) writeFiles(changes, folders, target);
  return changes.map(({ action }) => action);
}

test('files have their content and mode, whatever the umask, and a second run changes nothing', async () => {
  const umask = process.umask(0o077);
  try {
    expect(setUp([key, unit])).toEqual(['written', 'written']);
  } finally {
    process.umask(umask);
  }
  const before = await stat(at(key.path));
  expect(await readFile(at(key.path), 'utf8')).toBe('one\n');
  const modes = await Promise.all(
    [key.path, unit.path, '/etc/inventory', '/etc/systemd/system', '/etc/inventory/host-setup.json'].map(
      async (path) => (await stat(at(path))).mode & 0o777,
    ),
  );
  expect(modes).toEqual([0o600, 0o644, 0o755, 0o755, 0o600]);
  expect(setUp([key, unit])).toEqual(['unchanged', 'unchanged']);
  expect((await stat(at(key.path))).ino).toBe(before.ino);
  expect((await readdir(at('/etc/inventory'))).sort()).toEqual(['host-setup.json', 'key']);
});

test('a file of an earlier run is replaced', async () => {
  setUp([key]);
  expect(setUp([{ ...key, content: 'two\n' }])).toEqual(['changed']);
  expect(await readFile(at(key.path), 'utf8')).toBe('two\n');
});

test('a changed mode is restored', async () => {
  setUp([key]);
  await chmod(at(key.path), 0o644);
  expect(setUp([key])).toEqual(['changed']);
  expect((await stat(at(key.path))).mode & 0o777).toBe(0o600);
});

test('a file that somebody else made or changed stays without --force', async () => {
  await mkdir(at('/etc/inventory'), { recursive: true });
  await writeFile(at(key.path), 'foreign\n');
  expect(setUp([key, unit])).toEqual(['refused', 'written']);
  expect(await readFile(at(key.path), 'utf8')).toBe('foreign\n');
  expect(setUp([key], { isForced: true })).toEqual(['changed']);
  await writeFile(at(key.path), 'edited\n');
  expect(setUp([key])).toEqual(['refused']);
  expect(setUp([key], { isForced: true })).toEqual(['changed']);
  expect(setUp([{ ...key, content: 'two\n' }])).toEqual(['changed']);
});

test("without its record every other file counts as somebody else's", async () => {
  setUp([key]);
  await writeFile(at('/etc/inventory/host-setup.json'), 'no JSON');
  expect(setUp([{ ...key, content: 'two\n' }])).toEqual(['refused']);
  expect(setUp([key])).toEqual(['unchanged']);
});

test('a template stays, and is not written again once its file exists', async () => {
  const template: HostFile = { path: '/c/db.dsn.template', content: 'USER\n', mode: 0o600, isTemplate: true };
  expect(setUp([template])).toEqual(['written']);
  await writeFile(at(template.path), 'half filled in');
  expect(setUp([template], { isForced: true })).toEqual(['kept']);
  await rm(at(template.path));
  await writeFile(at('/c/db.dsn'), 'pmm:x@tcp(127.0.0.1:3306)/');
  expect(setUp([template])).toEqual(['kept']);
  expect(await readdir(at('/c'))).toEqual(['db.dsn']);
});
