import { MAX_VIOLATIONS, type Violation } from '../core/errors.ts';
import { shownName } from '../core/violations.ts';

/** Codes of characters: they are compared faster than strings. */
const QUOTE = 34;
const COMMA = 44;
const OPENS_LIST = 91;
const BACKSLASH = 92;
const CLOSES_LIST = 93;
const OPENS_OBJECT = 123;
const CLOSES_OBJECT = 125;

/** A list or an object that is open at the present position of the text. */
interface OpenContainer {
  /** The names of the object so far; undefined for a list. */
  names: Set<string> | undefined;
  /** The name, or the index in a list, that is being read or is next. */
  at: string | number;
  awaitsName: boolean;
}

/** Whether an odd number of backslashes precedes this position. */
function isEscaped(json: string, position: number): boolean {
  let first = position;
  while (json.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (position - first) % 2 === 1;
}

/** The position behind the closing quote of the string that begins at `start`; the end of the text without one. */
function endOfText(json: string, start: number): number {
  let quote = json.indexOf('"', start + 1);
  while (quote !== -1 && isEscaped(json, quote)) quote = json.indexOf('"', quote + 1);
  return quote === -1 ? json.length : quote + 1;
}

/** The name in this JSON string; an invalid one as it is. */
function nameIn(text: string): string {
  if (!text.includes('\\')) return text.slice(1, -1);
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

type Fault = Omit<Violation, 'field'>;

const forbidden = (name: string): Fault => ({
  reason: 'not_allowed',
  message: `A field must not be named ${name}.`,
});

/** @param open the open values from the outside in; the last one is the object that contains the name. */
function faultOf(open: readonly OpenContainer[], name: string): Fault | undefined {
  const [object, around] = [open.at(-1), open.at(-2)];
  if (name === '__proto__') return forbidden(name);
  if (name === 'prototype' && around?.at === 'constructor') return forbidden('constructor.prototype');
  return object?.names?.has(name) === true ? { reason: 'duplicate', message: 'Given more than once.' } : undefined;
}

/** The path of a name in error texts. */
const pathOf = (open: readonly OpenContainer[], name: string) =>
  [...open.slice(0, -1).map(({ at }) => at), name].map(shownName).join('.');

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The violations of a JSON text that its parsed value does not show: excessive nesting (reported alone), names that
 * parsers or other programs mistake for a prototype, and duplicate names in an object, of which a parser silently keeps
 * one.
 *
 * @param json any text; the result means something if JSON.parse accepts it. The time is linear in its length.
 */
export function wrongInJsonText(json: string, { maxNesting }: { maxNesting: number }): Violation[] {
  const open: OpenContainer[] = [];
  const wrong: Violation[] = [];
  for (let index = 0; index < json.length; index += 1) {
    const inner = open.at(-1);
    switch (json.charCodeAt(index)) {
      case OPENS_OBJECT:
      case OPENS_LIST: {
        if (open.length === maxNesting) {
          const message = `The body must not be nested deeper than ${maxNesting} levels.`;
          return [{ field: '', reason: 'too_deep', message }];
        }
        const isObject = json.charCodeAt(index) === OPENS_OBJECT;
        open.push({ names: isObject ? new Set() : undefined, at: isObject ? '' : 0, awaitsName: isObject });
        break;
      }
      case CLOSES_OBJECT:
      case CLOSES_LIST:
        open.pop();
        break;
      case COMMA:
        if (typeof inner?.at === 'number') inner.at += 1;
        else if (inner !== undefined) inner.awaitsName = true;
        break;
      case QUOTE: {
        const end = endOfText(json, index);
        if (inner?.names !== undefined && inner.awaitsName) {
          const name = nameIn(json.slice(index, end));
          const fault = faultOf(open, name);
          // An error lists the first ones and counts the others, whose paths may be longer than the body.
          if (fault !== undefined)
            wrong.push({ field: wrong.length < MAX_VIOLATIONS ? pathOf(open, name) : '', ...fault });
          inner.names.add(name);
          inner.at = name;
          inner.awaitsName = false;
        }
        index = end - 1;
        break;
      }
    }
  }
  return wrong;
}
