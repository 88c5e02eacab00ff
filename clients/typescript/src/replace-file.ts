import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Writes a file as a whole, or not, by default readable by its owner only: after a crash or an error the former file remains. The
 * name of the temporary file is random: one that a crash left behind is in nobody's way. Synchronous, so that no signal
 * ends the program while the temporary file exists.
 *
 * @param prepare is called with the open file before it has its name: nobody else can put another file in its place.
 */
export function replaceFile(
  path: string,
  content: string | Uint8Array,
  mode = 0o600,
  prepare: (file: number) => void = () => undefined,
): void {
  const temporary = `${path}.${crypto.randomUUID()}.new`;
  const file = openSync(temporary, 'wx', mode);
  try {
    try {
      prepare(file);
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
