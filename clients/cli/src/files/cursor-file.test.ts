import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCursorFile } from './cursor-file.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inventory-cursor-'));
  file = join(folder, 'cursor');
});
afterEach(() => rm(folder, { recursive: true }));

const text = () => readFile(file, 'utf8');

test('a new file begins with the given cursor, else with that of the first page', async () => {
  expect((await openCursorFile(file, 'c0')).cursor).toBe('c0');
  expect(await text()).toBe('c0\n');
  // The stored cursor precedes.
  expect((await openCursorFile(file, 'other')).cursor).toBe('c0');
  await rm(file);
  const { cursor, storePage } = await openCursorFile(file, undefined);
  expect(cursor).toBeUndefined();
  await expect(stat(file)).rejects.toThrow('ENOENT');
  storePage('c1', []);
  expect(await text()).toBe('c1\n');
});

test('changes that are done are known after a restart until their page is complete', async () => {
  const first = await openCursorFile(file, 'c0');
  for (const id of ['a', 'b', 'd']) first.storeChange(id);
  const second = await openCursorFile(file, undefined);
  expect(['a', 'b', 'c', 'd'].filter(second.isDone)).toEqual(['a', 'b', 'd']);
  expect(second.cursor).toBe('c0');
  // The next page ends before `d`: a late change has taken its place.
  second.storeChange('c');
  second.storePage('c1', ['a', 'b', 'c']);
  const third = await openCursorFile(file, undefined);
  expect([third.cursor, ['a', 'b', 'c', 'd'].filter(third.isDone)]).toEqual(['c1', ['d']]);
  third.storePage('c2', ['d']);
  expect(await text()).toBe('c2\n');
});

test('a truncated line is ignored', async () => {
  await writeFile(file, 'c0\nchange-1\nchan');
  const { isDone } = await openCursorFile(file, undefined);
  expect(['change-1', 'change-2'].filter(isDone)).toEqual(['change-1']);
});

test('without a file nothing is stored', async () => {
  const { cursor, isDone, storeChange, storePage } = await openCursorFile(undefined, 'c0');
  storeChange('a');
  storePage('c1', []);
  expect([cursor, isDone('a')]).toEqual(['c0', false]);
});

test('a file that cannot be read is an error, not a new one', async () => {
  await expect(openCursorFile(folder, undefined)).rejects.toMatchObject({ code: 'EISDIR' });
});
