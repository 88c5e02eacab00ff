import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pageLimits } from '../tests/browser/page-limits.ts';
import { buildConsole } from './build.ts';

/** As browsers count the headers of a reply. */
const HEADER_BYTES = 300;

let folder = '';
let html = '';
let sources: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'console-'));
  await writeFile(join(folder, 'old.js'), '');
  ({ sources } = await buildConsole(folder));
  html = await readFile(join(folder, 'index.html'), 'utf8');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The files that the tags of the page name: those that it loads, and those of the page after the log-in. */
const filesOf = (tag: RegExp) =>
  [...html.matchAll(/<(?:link|script)\b[^>]*\b(?:href|src|data-first-page)="\.\/([^"]+)"[^>]*>/g)]
    .filter(([text]) => tag.test(text))
    .map(([, path = '']) => path);

/** On the wire, with the page itself. */
const bytesOf = (paths: readonly string[]) =>
  ['index.html', ...paths]
    .map((path) => gzipSync(readFileSync(join(folder, path))).length + HEADER_BYTES)
    .reduce((sum, bytes) => sum + bytes, 0);

test('every file of the page exists, and nothing of an earlier build', () => {
  expect(filesOf(/data-first-page/).length).toBeGreaterThan(10);
  expect(filesOf(/./).filter((path) => !existsSync(join(folder, path)))).toEqual([]);
  expect(existsSync(join(folder, 'old.js'))).toBe(false);
});

test('the page has no inline script or style, as the policy allows none', () => {
  expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)/);
});

test('all but the pages, the icon and the licences have the hash of their content in their name', async () => {
  const files = await readdir(join(folder, 'assets'));
  expect(files.filter((file) => !/^[A-Za-z-]+-[0-9a-f]{8}\.(js|css|woff2)$/.test(file))).toEqual([]);
  expect((await readdir(folder)).sort()).toEqual(['assets', 'docs', 'favicon.svg', 'index.html', 'licenses.txt']);
});

test('the licences of packages that only the worker uses are included', async () => {
  expect(await readFile(join(folder, 'licenses.txt'), 'utf8')).toMatch(/^## idb - /m);
});

test('style sheets load nothing from elsewhere, and fonts are files', async () => {
  const files = (await readdir(join(folder, 'assets'))).filter((file) => extname(file) === '.css');
  const text = (await Promise.all(files.map((file) => readFile(join(folder, 'assets', file), 'utf8')))).join('\n');
  expect(text).not.toMatch(/@import|url\(["']?(?:https?:)?\/\//);
  expect(text).not.toContain('data:font');
  expect(text).toContain('.woff2');
  // All other styles need the colours of Cloudscape, light and dark.
  expect(text).toMatch(/body\{[^}]*--color-text-body-default-/);
  expect(text).toMatch(/\.awsui-dark-mode[^{]*\{[^}]*--color-text-body-default-/);
});

// Without replies of the API and scripts of later: tests/browser/speed.test.ts counts all that a browser loads.
test('the log-in page and the way to the first table are small', () => {
  expect(bytesOf(filesOf(/^(?!.*data-first-page)/s))).toBeLessThan(pageLimits.loginBytes);
  expect(bytesOf(filesOf(/./))).toBeLessThan(pageLimits.pageBytes);
});

test('the build records its sources, contracts included', () => {
  expect(sources).toEqual(expect.arrayContaining(['console/main.tsx', 'functions/api/nodes/add/endpoint.ts']));
  expect(sources.filter((source) => !existsSync(new URL(`../${source}`, import.meta.url)))).toEqual([]);
});
