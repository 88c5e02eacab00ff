import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadedModules } from './loaded-modules.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

const folders = ['functions', 'shared', 'local', 'tests', 'infra', 'console', 'clients', 'gateway'];

export interface TestSource {
  text: string;
  /** The paths of the files that it loads, from the root. */
  imports: readonly string[];
}

async function sourceAt(path: string): Promise<TestSource> {
  const text = await readFile(join(root, path), 'utf8');
  const imports = loadedModules(text)
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(root, join(root, dirname(path), name)));
  return { text, imports };
}

/** The sources of all folders with tests, by their paths from the root. */
export async function testSources(): Promise<Map<string, TestSource>> {
  const names = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true })).map((name) => join(folder, name)),
    ),
  );
  const paths = names.flat().filter((path) => /\.tsx?$/.test(path) && !path.includes('node_modules/'));
  return new Map(await Promise.all(paths.map(async (path) => [path, await sourceAt(path)] as const)));
}

/** The modules of the console, without its tests and their support. */
export async function consoleModules(): Promise<(readonly [path: string, source: TestSource])[]> {
  const isSupport = (path: string) => path.startsWith('console/testing/') || /\.test\.tsx?$/.test(path);
  return [...(await testSources())].filter(([path]) => path.startsWith('console/') && !isSupport(path));
}
