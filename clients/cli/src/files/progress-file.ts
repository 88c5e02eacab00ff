import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { replaceFile } from '../../../typescript/src/replace-file.ts';
import { checkWritable } from '../connection/config.ts';
import type { CommandCall, OptionSpec } from '../command/command.ts';
import { CommandError } from '../core/exit-codes.ts';
import { type Fields, isFields, parseJson } from '../core/values.ts';

export const progressOption: OptionSpec = {
  flags: '--progress-file <file>',
  description: 'store here what is done, so that the same command continues after an interruption; removed at the end',
};

/** The version of the format of progress files. */
const FORMAT = 1;

/** The progress of a command that sends many requests, in a file without keys. */
export interface Progress {
  /** The state that an interrupted command stored. */
  stored: Fields | undefined;
  store: (state: Fields) => void;
  /** Removes the file: the next call begins again. */
  finish: () => void;
}

const withoutFile: Progress = { stored: undefined, store: () => undefined, finish: () => undefined };

export const isWhole = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * The progress of the command in the file of `--progress-file`, if one is given.
 *
 * @param input identifies the work, such as the text of a file: the progress of other work is refused.
 * @throws CommandError if the file is of other work or cannot be written.
 */
export async function progressOf({ name, options, settings }: CommandCall, input: string): Promise<Progress> {
  const path = options.text('progressFile');
  if (path === undefined) return withoutFile;
  const { url } = await settings();
  const head = { format: FORMAT, command: name, server: url, input: createHash('sha256').update(input).digest('hex') };
  const text = textAt(path);
  checkWritable(path);
  const wrong = (reason: string) => new CommandError(`${path} ${reason}: remove it to begin again.`);
  const value = text === undefined ? undefined : parseJson(text, () => wrong('is no progress file'));
  if (value !== undefined && !isFields(value)) throw wrong('is no progress file');
  for (const [field, expected] of Object.entries(head))
    if (value !== undefined && value[field] !== expected)
      throw wrong(`is of another ${field === 'format' ? 'version of this program' : field}`);
  return {
    stored: value,
    store: (state) => replaceFile(path, `${JSON.stringify({ ...head, ...state })}\n`),
    finish: () => rmSync(path, { force: true }),
  };
}
