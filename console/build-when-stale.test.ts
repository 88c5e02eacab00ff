import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsoleWhenStale, isUpToDate } from './build-when-stale.ts';

let folder: string;
const at = (name: string) => join(folder, name);
/** A path as records have them. */
const fromRoot = (path: string) => relative(fileURLToPath(new URL('../', import.meta.url)), path);

/** A console that was built two seconds after its only source was written. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'console-'));
  await mkdir(at('console'));
  await writeFile(at('console/index.html'), '');
  await writeFile(at('source.ts'), '');
  await record();
  await utimes(at('source.ts'), 98, 98);
});
afterEach(() => rm(folder, { recursive: true }));

async function record(text = JSON.stringify({ sources: [fromRoot(at('source.ts'))], reload: false })): Promise<void> {
  await writeFile(at('console.json'), text);
  await utimes(at('console.json'), 100, 100);
}

test('a console whose sources are older is up to date', async () => {
  expect(await isUpToDate(folder)).toBe(true);
  await utimes(at('source.ts'), 99.9, 99.9);
  expect(await isUpToDate(folder)).toBe(true);
});

test.each<[string, () => Promise<unknown>]>([
  ['was never built', () => rm(at('console.json'))],
  ['has no page', () => rm(at('console/index.html'))],
  ['has a source that was written since', () => utimes(at('source.ts'), 101, 101)],
  ['has a source that was written at the time of the build', () => utimes(at('source.ts'), 100, 100)],
  ['had a source that is gone', () => rm(at('source.ts'))],
  ['was built to reload itself', () => record(JSON.stringify({ sources: [], reload: true }))],
  ['has a record of another version', () => record('{}')],
  ['has a record that was cut off', () => record('{"sources":[')],
])('a console is built that %s', async (_, change) => {
  await change();
  expect(await isUpToDate(folder)).toBe(false);
});

test('a stale console is built and recorded, and then it is up to date', async () => {
  const built: unknown[] = [];
  const build = async (pages: string, reload: boolean) => {
    built.push([pages, reload]);
    await mkdir(pages, { recursive: true });
    await writeFile(join(pages, 'index.html'), '');
    return { sources: [fromRoot(at('source.ts'))] };
  };
  await rm(at('console.json'));
  expect(await buildConsoleWhenStale(folder, build)).toBe(true);
  expect(await buildConsoleWhenStale(folder, build)).toBe(false);
  expect(built).toEqual([[at('console'), false]]);
});
