/*
 * Prints the files of the long suites: those named `*.long.test.ts`, and those whose extent depends on TEST_EXTENT. `npm test` runs
 * the latter in their short form.
 */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));

const folders = ['functions', 'shared', 'local', 'tests', 'infra', 'console', 'clients', 'gateway'];

/** Suites with a script of their own. */
const OTHER_SUITES = /^tests\/(ansible|browser|deploy|discovery|generated-clients|opamp-programs|terraform)\//;

interface Source {
  path: string;
  text: string;
  /** The paths of the files that it imports. */
  imports: readonly string[];
}

async function sourceOf(path: string): Promise<Source> {
  const text = await readFile(join(root, path), 'utf8');
  const imports = [...text.matchAll(/(?:from|import) '(\.[^']+)'/g)].map(([, name = '']) =>
    relative(root, join(root, dirname(path), name)),
  );
  return { path, text, imports };
}

async function sources(): Promise<Source[]> {
  const names = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true })).map((name) => join(folder, name)),
    ),
  );
  const paths = names.flat().filter((path) => path.endsWith('.ts') && !path.includes('node_modules/'));
  return Promise.all(paths.map(sourceOf));
}

/** Whether the file itself has two extents. */
const hasExtents = ({ text }: Source) => /\b(inFull|describeInFull|testInFull)\b.* from '.*extent\.ts'/.test(text);

/** The paths of the tests of the long suites, from the root, in order. */
export async function longSuites(): Promise<string[]> {
  const all = await sources();
  const ofExtents = all.filter(hasExtents).map(({ path }) => path);
  // Helpers pass their extent to the tests that import them.
  const users = all.filter(({ imports }) => imports.some((path) => ofExtents.includes(path))).map(({ path }) => path);
  const chosen = new Set([
    ...ofExtents,
    ...users,
    ...all.map(({ path }) => path).filter((path) => path.endsWith('.long.test.ts')),
  ]);
  return [...chosen].filter((path) => path.endsWith('.test.ts') && !OTHER_SUITES.test(path)).sort();
}

if (import.meta.main) process.stdout.write(`${(await longSuites()).join(' ')}\n`);
