/*
 * Makes a release of the last commit for all files of a run of these tests, as docs/releases.md says, in a clone: the number after
 * that of the last release. `node tests/release/artefacts.ts` makes it.
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

/** The release of this run. */
export interface Release {
  readonly version: string;
  readonly clone: string;
  /** The folder with the artefacts. */
  readonly artefacts: string;
  /** The only artefact whose name matches. */
  readonly file: (name: RegExp) => Promise<string>;
}

export async function releaseOfRun(): Promise<Release> {
  const { info } = JSON.parse(await readFile(join(root, 'docs/released-openapi.json'), 'utf8'));
  const version = nextVersion(info.version).replace('-dev', '');
  const clone = join(folder, 'clone');
  const artefacts = join(folder, 'artefacts');
  if (!existsSync(join(artefacts, 'SHA256SUMS')))
    throw new Error('Make the release first: node tests/release/artefacts.ts');
  const file = async (name: RegExp) => {
    const files = (await readdir(artefacts)).filter((one) => name.test(one));
    if (files.length !== 1) throw new Error(`${files.length} artefacts match ${name}: ${files.join(', ')}`);
    return join(artefacts, files[0]!);
  };
  return { version, clone, artefacts, file };
}

if (import.meta.main) {
  await mkdir(folder, { recursive: true });
  const { info } = JSON.parse(await readFile(join(root, 'docs/released-openapi.json'), 'utf8'));
  await cloneTo(join(folder, 'clone'));
  const out = join(folder, 'artefacts');
  const said = await makeRelease(join(folder, 'clone'), nextVersion(info.version).replace('-dev', ''), '--out', out);
  await writeFile(join(folder, 'said'), said);
  process.stdout.write(said);
}
