import type { CommandSpec, OptionSpec } from './command/command.ts';
import { exits } from './core/exit-codes.ts';
import { globalOptions } from './command/global-options.ts';

/** A line of text in roff: a point or a quote at its start is no request. */
const escaped = (text: string) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&');

/** The same in lines of at most 78 characters. */
const filled = (text: string) =>
  (escaped(text).match(/\S.{0,76}\S(?= |$)|\S+/g) ?? []).map((line) => line.replace(/^(?=[.'])/, '\\&')).join('\n');

const optionLines = (options: readonly OptionSpec[]) =>
  options
    .filter(({ isHidden }) => isHidden !== true)
    .map(
      ({ flags, description, words }) =>
        `.TP\n.B ${escaped(flags)}\n${filled(words === undefined ? description : `${description}: ${words.join(', ')}`)}\n`,
    );

/** The version and the day of the pages. */
interface Release {
  version: string;
  /** `2026-11-01`. */
  date: string;
}

function page(
  name: string,
  summary: string,
  { version, date }: Release,
  sections: readonly (readonly [string, string])[],
): string {
  const title = escaped(name.replaceAll(' ', '-'));
  const head = `.TH ${title.toUpperCase()} 1 ${date} "inventory ${version}" ""\n.SH NAME\n${title} \\-\n${filled(summary)}\n`;
  return head + sections.map(([title, text]) => `.SH ${title}\n${text}`).join('');
}

const exitLines = () =>
  Object.values(exits)
    .map(({ code, meaning }) => `.TP\n.B ${code}\n${filled(meaning)}\n`)
    .join('');

/** The manual pages of the program and of each command, by their file names. */
export async function manPages(commands: readonly CommandSpec[], release: Release): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const shown = commands.filter(({ isHidden }) => isHidden !== true);
  for (const { name, args = '', summary, examples = [], load } of shown) {
    const { options = [], note } = await load();
    const sections = [
      ['SYNOPSIS', `.B inventory ${escaped(name)}\n${escaped(`${args} [options]`.trim())}\n`],
      ...(note === undefined ? [] : [['DESCRIPTION', `${filled(note)}\n`] as const]),
      ...(options.length === 0 ? [] : [['OPTIONS', optionLines(options).join('')] as const]),
      ...(examples.length === 0
        ? []
        : [['EXAMPLES', `.nf\n${examples.map((example) => `${escaped(example)}\n`).join('')}.fi\n`] as const]),
      ['SEE ALSO', '.BR inventory (1)\n'],
    ] as const;
    const full = `inventory ${name}`;
    pages.set(`${full.replaceAll(' ', '-')}.1`, page(full, summary, release, sections));
  }
  const rows = shown.map(({ name, summary }) => `.TP\n.B ${escaped(name)}\n${filled(summary)}\n`).join('');
  pages.set(
    'inventory.1',
    page('inventory', 'command line of the monitoring inventory', release, [
      ['SYNOPSIS', '.B inventory\ncommand [options]\n'],
      ['COMMANDS', rows],
      ['OPTIONS', optionLines(globalOptions).join('')],
      ['EXIT STATUS', exitLines()],
    ]),
  );
  return pages;
}
