import type { CommandCall, CommandSpec, OptionSpec } from '../command.ts';
import { globalOptions } from '../global-options.ts';
import { kindNames, layoutOf, operationsOf, readList } from '../objects.ts';

/** The command that the words begin with. */
function commandOf(words: readonly string[], commands: CommandCall['commands']): CommandSpec | undefined {
  const plain = words.filter((word) => !word.startsWith('-'));
  return commands.findLast(({ name }) => name.split(' ').every((word, index) => plain[index] === word));
}

const longFlag = ({ flags }: OptionSpec) => /--[\w-]+/.exec(flags)?.[0] ?? flags;

const takesValue = ({ flags }: OptionSpec) => flags.includes('<');

/** The next words of commands that begin with these words. */
function nextWords(words: readonly string[], commands: CommandCall['commands']): string[] {
  const plain = words.filter((word) => !word.startsWith('-'));
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
  const command = commandOf(words, call.commands);
  const next = nextWords(words, call.commands);
  if (command === undefined || next.length > 0) return word.startsWith('-') ? globalOptions.map(longFlag) : next;
  const { options = [] } = await command.load();
  const all = [...options, ...globalOptions];
  const last = words.at(-1) ?? '';
  const open = all.find((option) => takesValue(option) && option.flags.split(/[ ,]+/).includes(last));
  if (open !== undefined) return [...(open.words ?? [])];
  if (word.startsWith('-')) return all.map(longFlag);
  if (/[<[]kind[>\]]/.test(command.args ?? '') && words.at(-1) === command.name)
    return ['nodes', 'services', 'agents', ...(command.name === 'get' ? ['clusters'] : [])];
  return command.args?.includes('object') === true ? objectsFor(word, call) : [];
}

/** Proposals for the last word of a line, one per line. It never fails: a shell would show the error in the line. */
export async function run(call: CommandCall): Promise<undefined> {
  const [, ...all] = (call.args[0] ?? '').split(/[ \t]+/);
  const word = all.at(-1) ?? '';
  try {
    const found = await proposals(all.slice(0, -1), word, call);
    for (const one of found) if (one.startsWith(word)) call.output.line(one);
  } catch {
    // No server, no proposals.
  }
}
