import { closeSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { exportAll } from '../../../typescript/src/flows/transfer.ts';
import type { CommandCall, OptionSpec } from '../command/command.ts';
import { CommandError } from '../core/exit-codes.ts';
import { isWhole, type Progress, progressOf, progressOption } from '../files/progress-file.ts';

export const options: readonly OptionSpec[] = [
  { flags: '--out <file>', description: 'write the lines to this file instead of the standard output' },
  progressOption,
];

interface Sink {
  write: (text: string, nextPage: string | undefined) => void;
  /** The page after those that an interrupted export has written. */
  page: string | undefined;
  close: () => void;
}

/** The file, cut after the pages that are known to be complete. */
function fileSink(path: string, { stored, store }: Progress): Sink {
  const { page, bytes } = stored ?? {};
  const isStored = typeof page === 'string' && isWhole(bytes);
  let file: number;
  try {
    file = openSync(path, isStored ? 'r+' : 'w');
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
  let size = isStored ? bytes : 0;
  ftruncateSync(file, size);
  return {
    page: isStored ? page : undefined,
    write: (text, nextPage) => {
      const lines = Buffer.from(text);
      for (let start = 0; start < lines.length;)
        start += writeSync(file, lines, start, lines.length - start, size + start);
      size += lines.length;
      fsyncSync(file);
      if (nextPage !== undefined) store({ page: nextPage, bytes: size });
    },
    close: () => closeSync(file),
  };
}

export async function run(call: CommandCall): Promise<undefined> {
  const { options: given, output, connect, world } = call;
  const out = given.text('out');
  // Nobody knows how much of a standard output has arrived.
  if (out === undefined && given.text('progressFile') !== undefined)
    throw new CommandError('--progress-file needs --out FILE.');
  const progress = await progressOf(call, out ?? '');
  const client = await connect();
  const { write, page, close }: Sink =
    out === undefined
      ? { write: (text) => output.text(text), page: undefined, close: () => undefined }
      : fileSink(out, progress);
  try {
    for await (const reply of exportAll(client, { signal: world.signal }, page).pages())
      write(reply.lines.map((line) => `${JSON.stringify(line)}\n`).join(''), reply.next_page_token);
    // A file without this line was cut off.
    write(`${JSON.stringify({ kind: 'end', complete: true })}\n`, undefined);
  } finally {
    close();
  }
  progress.finish();
}
