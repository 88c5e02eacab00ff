/** docs/releases.md: the release itself, its commits, its checksums, and that a second run makes the same. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../deploy/processes.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';
import { cloneTo, makeRelease, RELEASE_LIMIT_MS, releaseOfRun } from './artefacts.ts';

const { version, clone, artefacts } = await releaseOfRun();

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'release-test-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

const shell = (command: string, cwd: string) =>
  run(['bash', '-euc', command], { cwd, env: process.env, limitMilliseconds: RELEASE_LIMIT_MS });

const sumsIn = async (place: string) => (await readFile(join(place, 'SHA256SUMS'), 'utf8')).trim().split('\n');

test('every file has a checksum that the command of the page confirms, and the page lists every file', async () => {
  const page = await readFile('docs/releases.md', 'utf8');
  const check = fencedBlocks(page, 'sh').find((block) => block.startsWith('sha256sum'))!;
  const confirmed = await shell(check, artefacts);
  const names = (await readdir(artefacts)).filter((name) => name !== 'SHA256SUMS').sort();
  expect(confirmed.trim().split('\n')).toEqual(names.map((name) => `${name}: OK`));
  const listed = [...page.split('\n## ')[0]!.matchAll(/^\| `([^`]+)`/gm)].map(
    ([, name]) => name!.split('<version>')[0]!,
  );
  expect(names.filter((name) => !listed.some((start) => name.startsWith(start)))).toEqual([]);
  expect(names).toHaveLength(11);
});

test('the branch has the release, which states its number alone, and the begin of the next version', async () => {
  const show = (name: string, file: string) => shell(`git show ${name}:${file}`, clone);
  const manifest = async (name: string) => JSON.parse(await show(name, 'package.json')).version;
  const branch = `release-${version}`;
  expect([await manifest(`${branch}~1`), await manifest(branch)]).toEqual([version, expect.stringMatching(/-dev$/)]);
  expect(await show(`${branch}~1`, 'CHANGELOG.md')).toMatch(
    new RegExp(`## \\[Unreleased\\]\\n\\n## \\[${version}\\] - 20`),
  );
  expect(JSON.parse(await show(branch, 'docs/released-openapi.json')).info.version).toBe(version);
  expect(await readFile(join(artefacts, 'TAG.md'), 'utf8')).toMatch(
    new RegExp(`^Monitoring inventory ${version}\\n\\n\\S`),
  );
});

test('the bill of materials names what the bundles contain, and no tool of the development', async () => {
  const { bomFormat, components } = JSON.parse(await readFile(join(artefacts, 'sbom.cdx.json'), 'utf8'));
  const names = components.map(({ name }: { name: string }) => name);
  expect(bomFormat).toBe('CycloneDX');
  expect(names).toEqual(expect.arrayContaining(['zod', 'ws', 'jose', 'react', 'commander', 'swagger-ui-dist']));
  expect(names.filter((name: string) => /^(jest|typescript|esbuild|playwright-core|aws-cdk-lib)$/.test(name))).toEqual(
    [],
  );
});

test(
  'a second release of the same commit has the same commits and the same bytes',
  async () => {
    const other = join(folder, 'clone');
    await cloneTo(other, clone);
    const out = join(folder, 'out');
    await makeRelease(other, version, '--out', out);
    expect(await sumsIn(out)).toEqual(await sumsIn(artefacts));
    const [first, second] = await Promise.all(
      [clone, other].map((place) => shell(`git rev-parse release-${version}~1 release-${version}`, place)),
    );
    expect(second).toBe(first);
  },
  RELEASE_LIMIT_MS,
);

test('a release is refused with changes in the checkout, with a number that is no later one, and without news', async () => {
  const other = join(folder, 'refused');
  await cloneTo(other, clone);
  await expect(makeRelease(other, '0.1.0')).rejects.toThrow('0.1.0 is not later than');
  await expect(makeRelease(other, version, '--only', 'nothing')).rejects.toThrow('Usage: npm run release');
  await writeFile(join(other, 'notes.txt'), 'unfinished');
  await expect(makeRelease(other, version)).rejects.toThrow('The checkout has changes.');
  await cloneTo(other, clone, `origin/release-${version}~1`);
  await expect(makeRelease(other, '99.0.0')).rejects.toThrow('CHANGELOG.md says nothing');
});
