import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { readChoice, suitesChangedBy } from './choose.ts';
import { COMMON_PATHS, suites } from './suites.ts';

const names = (changed: string[]) => suitesChangedBy(changed).map(({ name }) => name);

test('a change starts the suites that it affects, and never those of the gate', () => {
  expect(names(['tests/deploy/api.ts'])).toEqual(['deploy', 'long']);
  expect(names(['clients/terraform/main.go'])).toEqual(['terraform', 'long']);
  expect(names(['README.md'])).toEqual(['ways']);
  expect(names(['LICENSE'])).toEqual([]);
});

test('a change of the packages starts the full run', () => {
  expect(names(['package-lock.json'])).toEqual(suites.filter((suite) => suite.in === 'full').map(({ name }) => name));
});

test('a suite that does not exist is refused with the names of all', () => {
  expect(() => readChoice(['browser', 'deploi'])).toThrow(/No suite deploi. There are: test lint/);
  expect(() => readChoice(['--since'])).toThrow('--since REV');
  expect(readChoice(['browser', 'deploy'])).toEqual({ names: ['browser', 'deploy'] });
});

test('the paths of all suites exist', () => {
  const paths = [...COMMON_PATHS, ...suites.flatMap(({ changedBy }) => changedBy)];
  expect(paths.filter((path) => path !== '' && !existsSync(path))).toEqual([]);
});

test('suites have unique names, their commands exist, and `.ci/install` knows their programs', async () => {
  expect(new Set(suites.map(({ name }) => name)).size).toBe(suites.length);
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
  const scriptNames = suites.flatMap(({ command }) =>
    [...command.matchAll(/npm (?:run )?(\S+)/g)].map(([, name]) => name),
  );
  expect(scriptNames.filter((name) => !(name! in scripts))).toEqual([]);
  const install = await readFile('.ci/install', 'utf8');
  const programs = suites.flatMap((suite) => suite.programs ?? []);
  expect(programs.filter((program) => !new RegExp(`^  ${program}\\)`, 'm').test(install))).toEqual([]);
});
