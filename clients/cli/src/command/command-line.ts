/** A line as a shell splits it into words, up to the cursor. */
export interface ShellLine {
  /** The complete words after the name of the program. */
  words: string[];
  /** The word at the cursor. */
  word: string;
  /** The quote that is open at the cursor. */
  quote: string;
  /** The length of the part of `word` that precedes the last of the given separators, or the open quote. */
  replacedFrom: number;
}

/**
 * Splits a line at spaces that are not quoted.
 *
 * @param breaks characters that end the part of a word that the shell replaces, as in COMP_WORDBREAKS of bash.
 */
export function splitLine(line: string, breaks = ''): ShellLine {
  const words: string[] = [];
  let [word, quote, isWord, replacedFrom] = ['', '', false, 0];
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    if (character === '\\' && quote !== "'") {
      index += 1;
      word += line.charAt(index);
      isWord = true;
    } else if (quote === '' && (character === '"' || character === "'")) {
      [quote, isWord, replacedFrom] = [character, true, word.length];
    } else if (character === quote) quote = '';
    else if (quote === '' && /\s/.test(character)) {
      if (isWord) words.push(word);
      [word, isWord, replacedFrom] = ['', false, 0];
    } else {
      [word, isWord] = [word + character, true];
      if (quote === '' && breaks.includes(character)) replacedFrom = word.length;
    }
  }
  const name = words.findLastIndex((text) => /^(?:.*\/)?(?:inventory|minv)$/.test(text));
  return { words: words.slice(Math.max(name, 0) + 1), word, quote, replacedFrom };
}

/** A text as one word for a shell, without quotes. */
export const escapedWord = (text: string) => text.replace(/[^\w@%+=:,./-]/gu, '\\$&');
