import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));

const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** The arguments of jest in the script of the long suites: the patterns before the option, and after it. */
const [wanted = [], ignored = []] = scripts['test:long']!.replace(/^.*? -- /, '')
  .replace(/ -w .*$/, '')
  .split(' --testPathIgnorePatterns ')
  .map((list) => list.split(' ').map((pattern) => new RegExp(pattern.replaceAll("'", ''))));

const runsInFull = (path: string) =>
  wanted.some((pattern) => pattern.test(`/${path}`)) && !ignored.some((pattern) => pattern.test(`/${path}`));

/** The sources that can contain tests, with the paths of the files that they import. */
async function sources(): Promise<Map<string, { text: string; imports: string[] }>> {
  const folders = ['functions', 'shared', 'local', 'tests', 'infra', 'console', 'clients'];
  const names = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true })).map((name) => join(folder, name)),
    ),
  );
  const paths = names.flat().filter((path) => path.endsWith('.ts') && !path.includes('node_modules/'));
  const read = paths.map(async (path) => {
    const text = await readFile(join(root, path), 'utf8');
    const imports = [...text.matchAll(/from '(\.[^']+)'/g)].map(([, name = '']) =>
      relative(root, join(root, dirname(path), name)),
    );
    return [path, { text, imports }] as const;
  });
  return new Map(await Promise.all(read));
}

test('every test with a full extent is in the long suites', async () => {
  const all = await sources();
  const uses = ([path, { text }]: [string, { text: string }]) =>
    path !== 'shared/testing/extent.ts' && /\b(inFull|describeInFull|testInFull)\b.* from '.*extent\.ts'/.test(text);
  const users = new Set([...all].filter((source) => uses(source)).map(([path]) => path));
  // Helpers pass their extent to the tests that import them.
  for (const user of users)
    if (!user.endsWith('.test.ts')) for (const [path, { imports }] of all) if (imports.includes(user)) users.add(path);
  const tests = [...users].filter((path) => path.endsWith('.test.ts'));
  expect(tests.length).toBeGreaterThan(20);
  expect(tests.filter((path) => !runsInFull(path))).toEqual([]);
});
