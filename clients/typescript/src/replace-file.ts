import { open, rename, rm } from 'node:fs/promises';

/**
 * Writes a file as a whole, or not, readable by its owner only: after a crash or an error the former file remains. The
 * name of the temporary file is random: one that a crash left behind is in nobody's way.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID()}.new`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
