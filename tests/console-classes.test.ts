import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { consoleModules } from './support/test-sources.ts';

const folder = fileURLToPath(new URL('../console/', import.meta.url));
const sheets = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.css'));
const styles = await Promise.all(sheets.map((path) => readFile(join(folder, path), 'utf8')));
const modules = await consoleModules();

const isSelected = (name: string) =>
  [...styles, ...modules.map(([, { text }]) => text)].some((text) => new RegExp(`\\.${name}(?![\\w-])`).test(text));

test('each class that a module of the console states has a rule in a style sheet, or is selected by a module', () => {
  const classes = modules.flatMap(([path, { text }]) =>
    [...text.matchAll(/className="([^"]+)"/g)].flatMap(([, names = '']) =>
      names.split(' ').map((name) => [path, name]),
    ),
  );
  expect(classes.length).toBeGreaterThan(100);
  expect(classes.filter(([, name]) => !isSelected(name!))).toEqual([]);
});
