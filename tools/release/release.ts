import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import * as z from 'zod/mini';
import { artefacts, type Source } from './artefacts.ts';
import { releaseSection } from './changelog.ts';
import { checkVersion } from './versions.ts';

const USAGE = `Usage: npm run release -- VERSION [--out FOLDER] [--only NAME,...]
Makes a release of the last commit: the branch release-VERSION with two commits, the release and the beginning of what
follows, and the artefacts with their checksums in dist/release/VERSION, or FOLDER. Two runs of one commit make the same
commits and the same bytes. --only makes some artefacts: ${Object.keys(artefacts).join(', ')}.`;

const root = fileURLToPath(new URL('../../', import.meta.url));

type Environment = Readonly<Record<string, string | undefined>>;

async function git(folder: string, args: readonly string[], env: Environment = {}): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { cwd: folder, env: { ...process.env, ...env } });
  return stdout.trim();
}

/** The environment in which a commit depends on its content and its parent alone: it has the person and the time of that commit. */
async function identityOf(folder: string, commit: string): Promise<Environment> {
  const [name, email, date] = (await git(folder, ['log', '-1', '--format=%cn%n%ce%n%cI', commit])).split('\n');
  return {
    ...{ GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date },
    ...{ GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email, GIT_COMMITTER_DATE: date },
  };
}

/** Commits all changes. @returns the commit, the same for the same content. */
async function commitAll(folder: string, message: string): Promise<string> {
  const parent = await git(folder, ['rev-parse', 'HEAD']);
  await git(folder, ['add', '--all']);
  const tree = await git(folder, ['write-tree']);
  const commit = await git(
    folder,
    ['commit-tree', tree, '-p', parent, '-m', message],
    await identityOf(folder, parent),
  );
  await git(folder, ['checkout', '--quiet', '--detach', commit]);
  return commit;
}

const run = async (folder: string, [program = '', ...args]: readonly string[]) =>
  promisify(execFile)(program, args, { cwd: folder, maxBuffer: 2 ** 26 });

const releasedSchema = z.object({ info: z.object({ version: z.string() }) });

/** The number of the last release. */
async function lastVersion(folder: string): Promise<string> {
  const text = await readFile(join(folder, 'docs/released-openapi.json'), 'utf8');
  return z.parse(releasedSchema, JSON.parse(text)).info.version;
}

/** A line for each file, as `sha256sum --check` reads them. */
async function checksumsOf(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name !== 'SHA256SUMS').sort();
  const lines = names.map(async (name) => {
    const digest = createHash('sha256').update(await readFile(join(folder, name)));
    return `${digest.digest('hex')}  ${name}\n`;
  });
  return (await Promise.all(lines)).join('');
}

interface Order {
  readonly version: string;
  readonly out: string;
  readonly only: readonly string[];
}

function readOrder(args: string[]): Order {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { out: { type: 'string' }, only: { type: 'string' } },
  });
  const [version, ...others] = positionals;
  const only = values.only?.split(',') ?? Object.keys(artefacts);
  if (version === undefined || others.length > 0 || only.some((name) => !Object.hasOwn(artefacts, name)))
    throw new Error(USAGE);
  return { version, out: resolve(values.out ?? join(root, 'dist/release', version)), only };
}

const say = (text: string) => process.stderr.write(`${text}\n`);

/** Makes both commits in a clone. The first one is checked out in the end. */
async function commitRelease(folder: string, version: string): Promise<{ release: string; after: string; time: Date }> {
  const time = new Date(await git(folder, ['log', '-1', '--format=%cI']));
  const day = time.toISOString().slice(0, 10);
  await run(folder, [process.execPath, 'tools/release/prepare.ts', version, day]);
  const release = await commitAll(folder, `Release ${version}`);
  await run(folder, [process.execPath, 'tools/release/prepare.ts', 'after', version]);
  const after = await commitAll(folder, `Begin the version after ${version}`);
  await git(folder, ['checkout', '--quiet', release]);
  return { release, after, time };
}

async function buildArtefacts(source: Source, { out, only }: Order): Promise<void> {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  for (const [name, build] of Object.entries(artefacts)) {
    if (!only.includes(name)) continue;
    say(`${name} ...`);
    await build(source, out);
  }
}

async function release(order: Order): Promise<void> {
  const { version, out } = order;
  if ((await git(root, ['status', '--porcelain'])) !== '')
    throw new Error('The checkout has changes. A release is of a commit: commit or remove them first.');
  checkVersion(version, await lastVersion(root));
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  const { section } = releaseSection(changelog, version, '');
  const place = await mkdtemp(join(tmpdir(), 'release-'));
  // npm names the project of the bill of materials after its folder.
  const folder = join(place, 'monitoring-inventory');
  try {
    await git(root, ['clone', '--quiet', '--shared', root, folder]);
    say('npm ci ...');
    await run(folder, ['npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund']);
    say('commits ...');
    const commits = await commitRelease(folder, version);
    await buildArtefacts({ root: folder, version, time: commits.time }, order);
    await writeFile(join(out, 'TAG.md'), `Monitoring inventory ${version}\n\n${section}\n`);
    await writeFile(join(out, 'SHA256SUMS'), await checksumsOf(out));
    await git(root, ['fetch', '--quiet', folder, `+${commits.after}:refs/heads/release-${version}`]);
    process.stdout.write(`${out}
Next: publish the branch release-${version}, and the tag:
  git tag --annotate v${version} --cleanup=verbatim --file ${join(out, 'TAG.md')} ${commits.release}
`);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

try {
  await release(readOrder(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
