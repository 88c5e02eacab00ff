/** A page that the search opens by its name. */
export interface Command {
  text: string;
  href: string;
}

const wordsOf = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean);

/** The commands of which each typed word begins a word; all for an empty text. */
export function matchingCommands(commands: readonly Command[], text: string): readonly Command[] {
  const typed = wordsOf(text);
  return commands.filter((command) => {
    const words = wordsOf(command.text);
    return typed.every((word) => words.some((commandWord) => commandWord.startsWith(word)));
  });
}

/** The command whose text was typed as a whole. */
export const commandOf = (commands: readonly Command[], text: string): Command | undefined =>
  commands.find((command) => wordsOf(command.text).join(' ') === wordsOf(text).join(' '));
