/** The delimiters of templates. */
export interface Delimiters {
  left: string;
  right: string;
}

const PAIRS = [
  ['{', '}'],
  ['[', ']'],
  ['(', ')'],
  ['<', '>'],
] as const;

/** The shortest delimiters that occur in no value, so that no value is a template. */
export function delimitersFor(values: readonly string[]): Delimiters {
  for (let length = 2; ; length += 1)
    for (const [open, close] of PAIRS) {
      const [left, right] = [open.repeat(length), close.repeat(length)];
      if (!values.some((value) => value.includes(left) || value.includes(right))) return { left, right };
    }
}
