/*
 * Makes a release of the last commit for all files of a run of these tests, as docs/releases.md says, in a clone: the number after
 * that of the last release; and a correction of it. `node tests/release/artefacts.ts` makes both.
 */
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nextVersion } from '../../tools/release/versions.ts';
import { run } from '../deploy/processes.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, 'dist/release-suite');

export const RELEASE_LIMIT_MS = 2_400_000;

/** The environment of a user: no program of this checkout is in the PATH. */
export function withoutCheckout(): Record<string, string> {
  const names = Object.entries(process.env).filter(([name]) => !/^(npm_|INVENTORY_|NODE_OPTIONS)/i.test(name));
  const folders = (process.env['PATH'] ?? '').split(':').filter((path) => !path.includes('node_modules'));
  return { ...Object.fromEntries(names.map(([name, value]) => [name, value ?? ''])), PATH: folders.join(':') };
}

/** A clone of this repository with the packages of this checkout. @param commit default: the present one. */
export async function cloneTo(clone: string, from: string = root, commit = 'HEAD'): Promise<void> {
  await rm(clone, { recursive: true, force: true });
  const git = (cwd: string, ...args: string[]) =>
    run(['git', ...args], { cwd, env: process.env, limitMilliseconds: 60_000 });
  await git(root, 'clone', '--quiet', from, clone);
  await git(clone, 'checkout', '--quiet', '--detach', commit);
  await symlink(join(root, 'node_modules'), join(clone, 'node_modules'));
  await appendFile(join(clone, '.git/info/exclude'), 'node_modules\n');
}

/** The command of docs/releases.md, for this number. */
async function releaseCommand(version: string): Promise<string> {
  const page = await readFile(join(root, 'docs/releases.md'), 'utf8');
  const command = fencedBlocks(page, 'sh').find((block) => block.startsWith('npm run release'));
  if (command === undefined) throw new Error('docs/releases.md has no command for a release.');
  return command.trim().replace(/\S+$/, version);
}

/** Makes a release in a clone. @returns what it prints. */
export async function makeRelease(clone: string, version: string, ...options: string[]): Promise<string> {
  const command = [await releaseCommand(version), ...options].join(' ');
  return run(['bash', '-c', command], { cwd: clone, env: process.env, limitMilliseconds: RELEASE_LIMIT_MS });
}

/** A release of this run. */
export interface Release {
  readonly version: string;
  readonly clone: string;
  /** The folder with the artefacts. */
  readonly artefacts: string;
  /** The only artefact whose name matches. */
  readonly file: (name: RegExp) => Promise<string>;
}

function readRelease(name: string, version: string): Release {
  const artefacts = join(folder, name);
  if (!existsSync(join(artefacts, 'SHA256SUMS')))
    throw new Error('Make the releases first: node tests/release/artefacts.ts');
  const file = async (pattern: RegExp) => {
    const files = (await readdir(artefacts)).filter((fileName) => pattern.test(fileName));
    if (files.length !== 1) throw new Error(`${files.length} artefacts match ${pattern}: ${files.join(', ')}`);
    return join(artefacts, files[0]!);
  };
  return { version, clone: join(folder, `${name}-clone`), artefacts, file };
}

/** The number of the release of this run, and that of its correction. */
async function numbersOfRun(): Promise<{ released: string; corrected: string }> {
  const { info } = JSON.parse(await readFile(join(root, 'docs/released-openapi.json'), 'utf8'));
  const released = nextVersion(info.version).replace('-dev', '');
  return { released, corrected: released.replace(/\d+$/, (patch) => String(Number(patch) + 1)) };
}

export const releaseOfRun = async () => readRelease('release', (await numbersOfRun()).released);

/** The correction of the release of this run, such as 0.2.1: the artefacts that meet those of the release. */
export const correctionOfRun = async () => readRelease('correction', (await numbersOfRun()).corrected);

const MEETING = 'server,cli,client,python,template';

/** Adds a line to the section of what is not released, and commits it. */
async function addNews(clone: string, line: string): Promise<void> {
  const changelog = join(clone, 'CHANGELOG.md');
  const text = await readFile(changelog, 'utf8');
  await writeFile(changelog, text.replace('## [Unreleased]\n', `## [Unreleased]\n\n- ${line}\n`));
  const commit = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '-qam', line];
  await run(['git', ...commit], { cwd: clone, env: process.env, limitMilliseconds: 60_000 });
}

if (import.meta.main) {
  const numbers = await numbersOfRun();
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const [clone, other] = [join(folder, 'release-clone'), join(folder, 'correction-clone')];
  await cloneTo(clone);
  // A release needs news, which the commits after one lack at first.
  if (/^## \[Unreleased\]\s+## /m.test(await readFile(join(clone, 'CHANGELOG.md'), 'utf8')))
    await addNews(clone, 'Something is new.');
  process.stdout.write(await makeRelease(clone, numbers.released, '--out', join(folder, 'release')));
  // As docs/releases.md says: from the commit that the tag names.
  await cloneTo(other, clone, `origin/release-${numbers.released}~1`);
  await addNews(other, 'A fault is corrected.');
  await makeRelease(other, numbers.corrected, '--only', MEETING, '--out', join(folder, 'correction'));
}
