import type { CommandCall, CommandSpec, OptionSpec } from '../command.ts';
import { escapedWord, splitLine } from '../command-line.ts';
import { globalOptions } from '../global-options.ts';
import { kindNames, layoutOf, operationsOf, readList } from '../objects.ts';

export const options: readonly OptionSpec[] = [
  { flags: '--breaks <characters>', description: 'print only what bash replaces: its COMP_WORDBREAKS' },
];

const takesValue = ({ flags }: OptionSpec) => flags.includes('<');

const isFlag = ({ flags }: OptionSpec, word: string) => flags.split(/[ ,]+/).includes(word);

/** The words that are neither options nor their values. */
function plainWords(words: readonly string[], known: readonly OptionSpec[]): string[] {
  const isValue = (index: number) =>
    known.some((option) => takesValue(option) && isFlag(option, words[index - 1] ?? ''));
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

/** `node/db-1` ... by the names on the server; nothing without one. */
async function objectsFor(word: string, { connect }: CommandCall): Promise<string[]> {
  const [kindName = '', name] = word.split('/');
  if (name === undefined) return kindNames.map((kind) => `${kind}/`);
  const kind = kindNames.find((one) => one === kindName);
  if (kind === undefined || kind === 'agent') return [];
  const { items } = operationsOf(kind);
  const found = await readList(await connect(), items, name === '' ? {} : { name_prefix: name }, 100);
  return found.map((one) => layoutOf(items).nameOf?.(one) ?? '');
}

async function proposals(words: readonly string[], word: string, call: CommandCall): Promise<string[]> {
  const plain = plainWords(words, globalOptions);
  const command = commandOf(plain, call.commands);
  const last = words.at(-1) ?? '';
  const { options: own = [] } = (await command?.load()) ?? {};
  const all = [...own, ...globalOptions];
  const open = all.find((option) => takesValue(option) && isFlag(option, last));
  if (open !== undefined) return [...(open.words ?? [])];
  if (word.startsWith('-')) return all.map(longFlag);
  const next = nextWords(plain, call.commands);
  if (command === undefined || next.length > 0) return next;
  if (/[<[]kind[>\]]/.test(command.args ?? '') && last === command.name)
    return ['nodes', 'services', 'agents', ...(command.name === 'get' ? ['clusters'] : [])];
  return command.args?.includes('object') === true ? objectsFor(word, call) : [];
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
    const found = await proposals(words, word, call);
    for (const one of found) if (one.startsWith(word)) call.output.line(shown(one));
  } catch {
    // No server, no proposals.
  }
}
