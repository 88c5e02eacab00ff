import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

/**
 * Writes a temporary file, syncs it to the disk, then renames it: a reader sees the old or the whole new file, also
 * after a kill.
 */
export async function writeWhole(file: string, text: string, mode: number): Promise<void> {
  const beside = `${file}.${randomUUID()}.new`;
  try {
    const handle = await open(beside, 'wx', mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
