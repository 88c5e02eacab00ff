import { readFileSync } from 'node:fs';
import { isFields } from '../core/values.ts';

/** The prepared help text that the arguments ask for; undefined if they do not ask for one of the package. */
export function preparedHelp(words: readonly string[], file: string): string | undefined {
  const last = words.at(-1);
  if (last !== '-h' && last !== '--help') return undefined;
  const texts: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const help = isFields(texts) ? texts[words.slice(0, -1).join(' ')] : undefined;
  return typeof help === 'string' ? help : undefined;
}

/** How a text is printed: `write` returns the number of its bytes, or throws; `writeLater` waits where it cannot. */
export interface Printer {
  write: (bytes: Uint8Array) => number;
  writeLater: (bytes: Uint8Array) => void;
}

/** Prints a text. A descriptor that does not block can be full: EAGAIN. @returns the exit code. */
export function printText(text: string, { write, writeLater }: Printer): number {
  let rest = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(write(rest));
    return 0;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EAGAIN') writeLater(rest);
    // A reader that has seen enough (`| head`) is no error.
    return code === 'EAGAIN' || code === 'EPIPE' ? 0 : 1;
  }
}
