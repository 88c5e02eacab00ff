import { existsSync } from 'node:fs';
import { access, constants, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, StartFailure } from '../process/failure.ts';

/**
 * Creates the folder and its parents with mode 0700; an existing folder is unchanged.
 *
 * @throws StartFailure when it cannot be created, read or written
 */
export async function makeDataFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
    await access(`${folder}/.`, constants.R_OK | constants.W_OK | constants.X_OK); // with `/.` a file is not a folder
  } catch (error) {
    throw StartFailure.dataFolder(folder, error);
  }
}

/** Without `recursive`: Node never returns when a parent exists but cannot contain entries (/proc, a broken link). */
async function makeFolder(folder: string): Promise<void> {
  if (!existsSync(dirname(folder))) await makeFolder(dirname(folder));
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/** The database of the embedded engine, in the data folder. */
export const DATABASE_FILE = 'inventory.sqlite';
