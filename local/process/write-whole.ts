import { randomUUID } from 'node:crypto';
import { type link, open, rename, rm } from 'node:fs/promises';

/**
 * Writes a temporary file, syncs it to the disk, then renames it: a reader sees the old or the whole new file, also
 * after a kill.
 *
 * @param put places the temporary file; default: over an existing file. `link` refuses an existing file (EEXIST).
 */
export async function writeWhole(
  file: string,
  text: string,
  mode: number,
  put: typeof rename | typeof link = rename,
): Promise<void> {
  const beside = `${file}.${randomUUID()}.new`;
  try {
    const handle = await open(beside, 'wx', mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await put(beside, file);
  } finally {
    await rm(beside, { force: true });
  }
}
