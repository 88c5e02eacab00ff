import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

/** Written beside, on the disk, then renamed: a reader sees the old file or the whole new one, also after a kill. */
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
