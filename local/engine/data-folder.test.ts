import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { manualClock } from '../../tests/support/manual-clock.ts';
import { takeDataFolder } from './data-folder.ts';
import { FOLDER_FORMAT, recordFormat } from './folder-format.ts';
import { DATABASE_FILE } from './make-data-folder.ts';
import { databaseFaults } from './database-faults.ts';
import { StartFailure } from '../process/failure.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'data-folder-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const formatFile = () => join(folder, 'format');

test.each([
  ['no format', undefined],
  ['an older format', '0\n'],
  ['this format', `${FOLDER_FORMAT}\n`],
])('a folder with %s is accepted, and has this format when it is recorded', async (_name, text) => {
  if (text !== undefined) await writeFile(formatFile(), text);
  const taken = await takeDataFolder(folder);
  await recordFormat(folder);
  expect(await readFile(formatFile(), 'utf8')).toBe(`${FOLDER_FORMAT}\n`);
  await taken.release();
});

test.each([
  ['a newer format', `${FOLDER_FORMAT + 1}\n`, `has format ${FOLDER_FORMAT + 1}, and this version reads`],
  ['a format that is no number', 'x', 'contains no number'],
])('a folder with %s is refused, unchanged, and not locked', async (_name, text, message) => {
  await writeFile(formatFile(), text);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const refused = takeDataFolder(folder);
    await expect(refused).rejects.toBeInstanceOf(StartFailure);
    await expect(refused).rejects.toThrow(message);
  }
  expect(await readFile(formatFile(), 'utf8')).toBe(text);
  expect((await readdir(folder)).sort()).toEqual(['format', 'server.lock']);
});

test('a folder of another server is refused with folder and process until that one ends', async () => {
  const monotonic = manualClock();
  const take = () => takeDataFolder(folder, { monotonic });
  const first = await take();
  const refused = monotonic.passUntil(take());
  await expect(refused).rejects.toBeInstanceOf(StartFailure);
  await expect(refused).rejects.toThrow(`${folder} is in use by another server (process ${process.pid})`);
  const second = take();
  await monotonic.untilWaiting(20);
  await first.release();
  await (await monotonic.passUntil(second)).release();
});

/** A database as the engine writes it, and the connection of its process. */
function openDatabase(): DatabaseSync {
  const database = new DatabaseSync(join(folder, DATABASE_FILE));
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE numbers (number); INSERT INTO numbers VALUES (1)');
  return database;
}

test('a folder with a damaged database is refused, and is not locked', async () => {
  openDatabase().close();
  const file = join(folder, DATABASE_FILE);
  const bytes = await readFile(file);
  for (const damaged of [Buffer.alloc(4096, 'x'), Buffer.from(bytes).fill(0xff, 4096)]) {
    await writeFile(file, damaged);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const refused = takeDataFolder(folder);
      await expect(refused).rejects.toBeInstanceOf(StartFailure);
      await expect(refused).rejects.toThrow(databaseFaults.damaged.problem);
    }
  }
  await writeFile(file, bytes);
  await (await takeDataFolder(folder)).release();
});
