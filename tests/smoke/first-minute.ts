import { readFile } from 'node:fs/promises';
import { fencedBlocks } from '../support/fenced-blocks.ts';

/** The forms of text that a reader of the README replaces, or answers as `curl -u` without a password. */
const PLACEHOLDER = /<[^<>\s]+>|\w+\.\.\.|\blocalhost:\d+|\b[\w.-]+\.example\b|-u \w+(?= )/g;

/** The commands of the README's first minute: as they stand there, one text for each command, without lines of comments. */
export async function firstMinute(): Promise<string[]> {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const [, section] = /^## The first minute\n([\s\S]*?)^## /m.exec(readme) ?? [];
  const [block, ...others] = fencedBlocks(section ?? '', 'sh');
  if (block === undefined || others.length > 0) throw new Error('The first minute of README.md is not one block.');
  return block
    .replaceAll(/^#.*\n/gm, '')
    .split(/(?<!\\)\n/)
    .filter((command) => command !== '');
}

/** Each placeholder in the commands, once, in the order of the text. */
export const placeholdersIn = (commands: readonly string[]): string[] => [
  ...new Set(commands.flatMap((command) => command.match(PLACEHOLDER) ?? [])),
];

/** Whether the command only sets variables of the shell. */
export const isAssignment = (command: string): boolean => /^[A-Z]+=/.test(command);
