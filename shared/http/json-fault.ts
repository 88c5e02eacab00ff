import { characters } from '../core/text.ts';

/** A string without its closing quote, as far as it is right. */
const STRING = /"[^"\\\0-\x1f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\0-\x1f]*)*/y;
const WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
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
  let wanted: 'value' | 'name' | ':' | ',' = 'value';
  // An object or a list may end before its first member, not after a comma.
  let mayClose = false;
  for (let at = 0; ;) {
    at += lengthAt(BLANK, json, at);
    const sign = json.charAt(at);
    const length = sign === '"' ? lengthAt(STRING, json, at) : wanted === 'value' ? lengthAt(WORD, json, at) : 0;
    const isMember = wanted === 'value' || wanted === 'name';
    if (length > 0 && isMember) {
      at += length;
      if (sign === '"' && json.charAt(at++) !== '"') return at - 1;
      mayClose = wanted === 'value';
      wanted = mayClose ? ',' : ':';
      continue;
    }
    if (mayClose && sign !== '' && sign === closing.at(-1)) {
      closing.pop();
      wanted = ',';
    } else if (sign === wanted && closing.length > 0) {
      wanted = sign === ',' && closing.at(-1) === '}' ? 'name' : 'value';
      mayClose = false;
    } else if (wanted === 'value' && (sign === '{' || sign === '[')) {
      closing.push(sign === '{' ? '}' : ']');
      wanted = sign === '{' ? 'name' : 'value';
      mayClose = true;
    } else return at;
    at += 1;
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
