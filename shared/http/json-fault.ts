import { characters } from '../core/text.ts';

/** The beginning of a value or a name, as far as it is right: a string without its closing quote may be incomplete. */
const SCALAR =
  /"[^"\\\0-\x1f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\0-\x1f]*)*|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const BLANK = /[ \t\n\r]*/y;

/** The length of the match at a position; 0 without one. */
function lengthAt(pattern: RegExp, json: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(json)?.[0].length ?? 0;
}

/**
 * The offset at which a text stops being JSON; its length if it only ends too early. The parser of the engine names the
 * position in some of its messages, and repeats the content. The time is linear in the length.
 *
 * @param json a text that JSON.parse refuses.
 */
export function faultIn(json: string): number {
  /** The signs that close the open objects and lists, from the outside in. */
  const closing: string[] = [];
  let wanted: 'value' | 'name' | 'colon' | 'comma' = 'value';
  // An object or a list may end before its first member, not after a comma.
  let mayClose = false;
  for (let at = 0; ;) {
    at += lengthAt(BLANK, json, at);
    const sign = json.charAt(at);
    if (sign !== '' && sign === closing.at(-1) && mayClose) {
      closing.pop();
      wanted = 'comma';
      at += 1;
    } else if (wanted === 'colon' ? sign === ':' : wanted === 'comma' && sign === ',' && closing.length > 0) {
      wanted = wanted === 'comma' && closing.at(-1) === '}' ? 'name' : 'value';
      mayClose = false;
      at += 1;
    } else if (wanted === 'value' && (sign === '{' || sign === '[')) {
      closing.push(sign === '{' ? '}' : ']');
      wanted = sign === '{' ? 'name' : 'value';
      mayClose = true;
      at += 1;
    } else {
      const isText = sign === '"';
      const length = wanted === 'value' || (wanted === 'name' && isText) ? lengthAt(SCALAR, json, at) : 0;
      at += length;
      if (length === 0 || (isText && json.charAt(at) !== '"')) return at;
      at += Number(isText);
      mayClose = wanted === 'value';
      wanted = wanted === 'name' ? 'colon' : 'comma';
    }
  }
}

const placed = (json: string, fault: number, place: string) =>
  fault === json.length ? `it ends too early, at ${place}` : place;

/** The line and the column, from 1, at which a text stops being JSON. */
export function wrongPlace(json: string): string {
  const fault = faultIn(json);
  const before = json.slice(0, fault).split('\n');
  return placed(json, fault, `line ${before.length}, column ${characters(before.at(-1) ?? '') + 1}`);
}

/** The column, from 1, at which a text of one line stops being JSON. */
export function wrongColumn(line: string): string {
  const fault = faultIn(line);
  return placed(line, fault, `column ${characters(line.slice(0, fault)) + 1}`);
}
