import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ClockSource, monotonicMs, pause } from '../../shared/core/monotonic-clock.ts';
import { databaseFaults } from './database-faults.ts';
import { recordFormat, refuseNewerFormat } from './folder-format.ts';
import { convertFormat1, type LeftOut } from './format-1/convert.ts';
import { DATABASE_FILE, makeDataFolder } from './make-data-folder.ts';
import { StartFailure } from '../process/failure.ts';

/** A killed server needs some milliseconds to end, and on a busy machine seconds. */
const lockTimeoutMilliseconds = 5000;
const pollMilliseconds = 20;

export interface TakenFolder {
  readonly databaseFile: string;
  /** When the database was converted: the items that were left out. */
  readonly leftOut: LeftOut | undefined;
  release(): Promise<void>;
}

/**
 * The lock is an open transaction on an empty SQLite file. The operating system releases it when its holder ends in any
 * way, so no stale lock exists, and no recorded process id has to be trusted. The id is stored only for the message.
 */
export async function takeDataFolder(folder: string, timed: ClockSource = {}): Promise<TakenFolder> {
  const pidFile = join(folder, 'server.pid');
  let lock: DatabaseSync;
  await makeDataFolder(folder);
  try {
    lock = new DatabaseSync(join(folder, 'server.lock'));
  } catch (error) {
    throw StartFailure.dataFolder(folder, error);
  }
  const release = async () => {
    await rm(pidFile, { force: true });
    lock.close();
  };
  try {
    const deadline = monotonicMs(timed) + lockTimeoutMilliseconds;
    while (!begins(lock)) {
      if (monotonicMs(timed) > deadline) {
        const holder = await readFile(pidFile, 'utf8').catch(() => '');
        throw new StartFailure(
          `The data folder ${folder} is in use by another server (process ${holder.trim() || 'unknown'}). Stop it, or set DATA_DIR to another folder.`,
        );
      }
      await pause(timed, pollMilliseconds);
    }
  } catch (error) {
    lock.close();
    throw error instanceof StartFailure ? error : StartFailure.dataFolder(folder, error);
  }
  try {
    await refuseNewerFormat(folder);
    await writeFile(pidFile, `${process.pid}\n`);
    const databaseFile = join(folder, DATABASE_FILE);
    // SQLite gives its other files the mode of this one.
    await writeFile(databaseFile, '', { flag: 'a', mode: 0o600 });
    refuseDamaged(databaseFile);
    return { databaseFile, leftOut: await convertFormat1(databaseFile, () => recordFormat(folder)), release };
  } catch (error) {
    await release();
    throw error instanceof StartFailure ? error : StartFailure.dataFolder(folder, error);
  }
}

function begins(lock: DatabaseSync): boolean {
  try {
    // In memory: a journal file would be left over after a kill.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (hasCode(error, SQLITE_BUSY)) return false;
    throw error;
  }
}

/**
 * Checks the whole file, which takes about a second for a gigabyte. A damaged page that is found later may have been
 * served.
 *
 * @throws StartFailure when the file is damaged. The engine reports other problems.
 */
function refuseDamaged(databaseFile: string): void {
  let damage: string | undefined;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(databaseFile);
    const [line] = Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {});
    if (line !== 'ok') damage = String(line);
  } catch (error) {
    if (hasCode(error, SQLITE_CORRUPT) || hasCode(error, SQLITE_NOTADB)) damage = String(error);
  } finally {
    database?.close();
  }
  if (damage === undefined) return;
  const { problem, remedy } = databaseFaults.damaged;
  throw new StartFailure(`${problem} ${remedy} The file is ${databaseFile} (${damage}).`);
}

/** https://sqlite.org/rescode.html */
const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** Whether an error has this code or an extended code of it: the lowest byte is the same. */
function hasCode(error: unknown, code: number): boolean {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return false;
  return (Number(error.errcode) & 0xff) === code;
}
