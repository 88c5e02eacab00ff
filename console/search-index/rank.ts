const isWordCharacter = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);

/** Whether a text stands in a value between the ends of words: `3.17` does in `10.20.3.17:3306`, and not in `10.20.3.170`. */
function hasWholeWords(value: string, text: string): boolean {
  for (let at = value.indexOf(text); at !== -1; at = value.indexOf(text, at + 1))
    if (!isWordCharacter(value[at - 1]) && !isWordCharacter(value[at + text.length])) return true;
  return false;
}

/** From 0, the best: equal, begins with the text as a whole word, contains it as one, begins with it, contains it. */
function rankOfValue(value: string, text: string): number {
  if (value === text) return 0;
  if (!value.includes(text)) return 5;
  const begins = value.startsWith(text);
  if (hasWholeWords(value, text)) return begins && !isWordCharacter(value[text.length]) ? 1 : 2;
  return begins ? 3 : 4;
}

/**
 * How well a text fits the best one of several values, from 0, the best, to 5: none contains it.
 *
 * @param values in lower case, as the text.
 */
export const rankOf = (values: readonly string[], text: string): number =>
  Math.min(...values.map((value) => rankOfValue(value, text)));
