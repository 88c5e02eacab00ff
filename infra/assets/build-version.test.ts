import { readFile } from 'node:fs/promises';
import { versionOf, withoutCommit } from './build-version.ts';

const commit = '1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d';

test('a build between releases has the next version with its commit, a release only its version', () => {
  expect(versionOf('0.3.0-dev', commit)).toBe('0.3.0-dev+1a2b3c4d');
  expect(versionOf('0.2.0', commit)).toBe('0.2.0');
  expect(versionOf('0.3.0-dev', 'unknown')).toBe('0.3.0-dev');
  expect(['0.3.0-dev+1a2b3c4d', '0.2.0'].map(withoutCommit)).toEqual(['0.3.0-dev', '0.2.0']);
});

test('the manifest and the lockfile state one version: a release, or the next one with -dev', async () => {
  const [{ version }, lock] = await Promise.all(
    ['package.json', 'package-lock.json'].map(async (name) => JSON.parse(await readFile(name, 'utf8'))),
  );
  expect(version).toMatch(/^\d+\.\d+\.\d+(-dev)?$/);
  expect([lock.version, lock.packages[''].version]).toEqual([version, version]);
});
