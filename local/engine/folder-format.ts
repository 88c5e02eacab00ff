import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, StartFailure } from '../process/failure.ts';
import { writeWhole } from '../process/write-whole.ts';

/**
 * The format of the files in the data folder. A release raises it when the release before it cannot use the folder. A
 * folder without a format is older than 1, or new. Until format 1, the engine was dynoxide (format-1/convert.ts).
 */
export const FOLDER_FORMAT = 2;

export const FORMAT_FILE = 'format';

/** @throws StartFailure when a newer version wrote the folder. */
export async function refuseNewerFormat(folder: string): Promise<void> {
  const file = join(folder, FORMAT_FILE);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return '0';
    throw error;
  });
  if (!/^[0-9]{1,9}\n?$/.test(text))
    throw new StartFailure(`${file} is damaged: it contains no number. Restore it from a backup.`);
  if (Number(text) > FOLDER_FORMAT)
    throw new StartFailure(
      `The data folder ${folder} has format ${Number(text)}, and this version reads formats up to ${FOLDER_FORMAT}. Use the version that wrote the folder, or a newer one.`,
    );
}

/** Records the format in a folder with an inventory: an older version refuses it from now on. */
export async function recordFormat(folder: string): Promise<void> {
  const file = join(folder, FORMAT_FILE);
  const text = `${FOLDER_FORMAT}\n`;
  if ((await readFile(file, 'utf8').catch(() => undefined)) !== text) await writeWhole(file, text, 0o600);
}
