import { existsSync } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartFailure } from '../process/failure.ts';
import { DATABASE_FILE } from './make-data-folder.ts';
import { syncFolder } from './sqlite/database.ts';

/** Files of a running server, of a conversion, and the database itself. */
const isCopied = (name: string) => !/^(?:inventory\.sqlite|server\.)/.test(name);

async function sync(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Copies the state of one moment, also while a server writes. */
function copyDatabase(from: string, to: string): void {
  const database = new DatabaseSync(from, { readOnly: true });
  try {
    database.prepare('VACUUM INTO ?').run(to);
  } finally {
    database.close();
  }
}

/**
 * Copies a data folder to a new one, also while a server uses it. The new folder appears when it is complete and on the disk.
 *
 * @throws StartFailure when there is no database, or the new folder exists.
 */
export async function backUp(dataDir: string, target: string): Promise<void> {
  if (!existsSync(join(dataDir, DATABASE_FILE)))
    throw new StartFailure(`${dataDir} contains no database ${DATABASE_FILE}. Set DATA_DIR to the data folder.`);
  if (existsSync(target)) throw new StartFailure(`${target} exists. Name a new folder for the backup.`);
  const unfinished = join(dirname(target), `.${basename(target)}.unfinished`);
  await rm(unfinished, { recursive: true, force: true });
  try {
    await mkdir(unfinished, { mode: 0o700, recursive: true });
    copyDatabase(join(dataDir, DATABASE_FILE), join(unfinished, DATABASE_FILE));
    for (const name of (await readdir(dataDir)).filter(isCopied))
      await copyFile(join(dataDir, name), join(unfinished, name));
    for (const name of await readdir(unfinished)) await sync(join(unfinished, name));
    syncFolder(unfinished);
    await rename(unfinished, target);
    syncFolder(dirname(target));
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw StartFailure.dataFolder(target, error);
  }
}
