import type { CommandCall, CommandSpec, OptionSpec } from '../command/command.ts';
import { escapedWord, splitLine } from '../command/command-line.ts';
import { globalOptions } from '../command/global-options.ts';
import { argumentsFor, valuesOfOption } from '../command/proposals.ts';

export const options: readonly OptionSpec[] = [
  { flags: '--breaks <characters>', description: 'print only what bash replaces: its COMP_WORDBREAKS' },
];

const takesValue = ({ flags }: OptionSpec) => flags.includes('<');

const isFlag = ({ flags }: OptionSpec, word: string) => flags.split(/[ ,]+/).includes(word);

/** The words that are neither options nor their values. */
function plainWords(words: readonly string[], options: readonly OptionSpec[]): string[] {
  const isValue = (index: number) =>
    options.some((option) => takesValue(option) && isFlag(option, words[index - 1] ?? ''));
  return words.filter((word, index) => !word.startsWith('-') && !isValue(index));
}

const commandOf = (plain: readonly string[], commands: CommandCall['commands']): CommandSpec | undefined =>
  commands.findLast(({ name }) => name.split(' ').every((word, index) => plain[index] === word));

const longFlag = ({ flags }: OptionSpec) => /--[\w-]+/.exec(flags)?.[0] ?? flags;

/** The next words of commands that begin with these words. */
function nextWords(plain: readonly string[], commands: CommandCall['commands']): string[] {
  const next = commands.flatMap(({ name, isHidden }) => {
    const parts = name.split(' ');
    const isPrefix = plain.every((word, index) => parts[index] === word);
    return isHidden === true || !isPrefix ? [] : parts.slice(plain.length, plain.length + 1);
  });
  return [...new Set(next)];
}

async function proposals(words: readonly string[], word: string, call: CommandCall): Promise<readonly string[]> {
  const first = plainWords(words, globalOptions);
  const command = commandOf(first, call.commands);
  const { options: commandOptions = [] } = (await command?.load()) ?? {};
  const all = [...commandOptions, ...globalOptions];
  const plain = command === undefined ? first : plainWords(words, all);
  const last = words.at(-1) ?? '';
  const open = all.find((option) => takesValue(option) && isFlag(option, last));
  if (open === undefined && word.startsWith('-')) return all.filter(({ isHidden }) => isHidden !== true).map(longFlag);
  const cursor = { command, args: plain.slice(command?.name.split(' ').length), word, call };
  if (open !== undefined) return valuesOfOption(open, cursor);
  const next = nextWords(plain, call.commands);
  return command === undefined || next.length > 0 ? next : argumentsFor(cursor);
}

/** Proposals for the last word of a line, one per line. It never fails: a shell would show the error in the line. */
export async function run(call: CommandCall): Promise<undefined> {
  const breaks = call.options.text('breaks');
  const { words, word, quote, replacedFrom } = splitLine(call.args[0] ?? '', breaks);
  const shown = (text: string) => {
    if (breaks === undefined) return text;
    const part = text.slice(replacedFrom);
    return quote === '' ? escapedWord(part) : part;
  };
  try {
    const candidates = await proposals(words, word, call);
    for (const candidate of candidates) if (candidate.startsWith(word)) call.output.line(shown(candidate));
  } catch {
    // No server, no proposals.
  }
}
