import { characters } from '../core/text.ts';
import { ESCAPE, PLAIN_CHARACTER, QUOTE, type Requirement, type Values } from './requirement.ts';

/** In characters. With all other parameters it fits the 8 KB of a request line, including percent-encoding. */
export const MAX_SELECTOR = 2000;
export const MAX_REQUIREMENTS = 20;
export const MAX_VALUES = 50;
const MAX_LABEL_NAME = 128;

/** Why a text is no selector: the position and what is expected. Never repeats the text, which may contain a secret. */
export class SelectorError extends Error {
  /** The position of the wrong character, from 1; the length plus one when the text ends too early. */
  readonly position: number;

  constructor(position: number, what: string) {
    super(`At character ${position}: ${what}.`);
    this.name = 'SelectorError';
    this.position = position;
  }
}

const SPACE = /[ \t\r\n]/;
const NAME_START = /[A-Za-z_]/;
const NAME_CHARACTER = /[A-Za-z0-9_]/;

const NAME = 'a label name (letters, digits and underscores, no digit first)';
const VALUE = 'a value, in double quotes unless it is of letters, digits and _ . : / - only';

/** Reads from left to right, each character at most twice: the time is linear in the length. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  fail(what: string, at = this.#at): never {
    throw new SelectorError(characters(this.#text.slice(0, at)) + 1, what);
  }

  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  skipSpace(): void {
    this.#while(SPACE);
  }

  /** Consumes exactly this text, if it is next. */
  take(expected: string): boolean {
    if (!this.#text.startsWith(expected, this.#at)) return false;
    this.#at += expected.length;
    return true;
  }

  name(): string {
    const start = this.#at;
    if (!NAME_START.test(this.#next())) this.fail(`expected ${NAME}`);
    const name = this.#while(NAME_CHARACTER);
    if (name.length > MAX_LABEL_NAME) this.fail(`a label name has at most ${MAX_LABEL_NAME} characters`, start);
    return name;
  }

  /** The word at a position where an operator is permitted; may be empty. */
  word(): string {
    return this.#while(NAME_CHARACTER);
  }

  value(): string {
    if (this.#next() === QUOTE) return this.#quoted();
    const value = this.#while(PLAIN_CHARACTER);
    return value === '' ? this.fail(`expected ${VALUE}`) : value;
  }

  #quoted(): string {
    this.#at += 1;
    const parts: string[] = [];
    for (let start = this.#at; ;) {
      const next = this.#next();
      if (next === '') this.fail(`expected ${QUOTE} at the end of the value`);
      if (next !== QUOTE && next !== ESCAPE) {
        this.#at += 1;
        continue;
      }
      parts.push(this.#text.slice(start, this.#at));
      this.#at += 1;
      if (next === QUOTE) return parts.join('');
      start = this.#at;
      if (![QUOTE, ESCAPE].includes(this.#next()))
        this.fail(`expected ${QUOTE} or ${ESCAPE} after ${ESCAPE} in a quoted value`);
      this.#at += 1;
    }
  }

  #next(): string {
    return this.#text.charAt(this.#at);
  }

  #while(pattern: RegExp): string {
    const start = this.#at;
    while (pattern.test(this.#next())) this.#at += 1;
    return this.#text.slice(start, this.#at);
  }
}

function valuesOf(reader: Reader): Values {
  reader.skipSpace();
  if (!reader.take('(')) reader.fail('expected ( and a list of values');
  reader.skipSpace();
  const values: [string, ...string[]] = [reader.value()];
  for (;;) {
    reader.skipSpace();
    if (reader.take(')')) return values;
    if (!reader.take(',')) reader.fail('expected a comma and another value, or ) to end the list');
    reader.skipSpace();
    if (values.length === MAX_VALUES) reader.fail(`a list has at most ${MAX_VALUES} values`);
    values.push(reader.value());
  }
}

function requirementOf(reader: Reader): Requirement {
  if (reader.take('!')) {
    reader.skipSpace();
    return { label: reader.name(), operator: 'absent' };
  }
  const label = reader.name();
  reader.skipSpace();
  const isNot = reader.take('!=');
  if (isNot || reader.take('==') || reader.take('=')) {
    reader.skipSpace();
    return { label, operator: isNot ? 'notin' : 'in', values: [reader.value()] };
  }
  const start = reader.at;
  const word = reader.word();
  if (word === '') return { label, operator: 'exists' };
  if (word !== 'in' && word !== 'notin') reader.fail('expected =, ==, !=, in, notin, a comma or the end', start);
  return { label, operator: word, values: valuesOf(reader) };
}

/**
 * Parses a selector: `env=prod, tier in (gold, silver), !legacy`.
 *
 * @throws SelectorError for an invalid selector, or one beyond the limits.
 */
export function parseSelector(text: string): readonly Requirement[] {
  const reader = new Reader(text);
  if (characters(text) > MAX_SELECTOR)
    throw new SelectorError(MAX_SELECTOR + 1, `a selector has at most ${MAX_SELECTOR} characters`);
  const requirements: Requirement[] = [];
  for (;;) {
    reader.skipSpace();
    if (requirements.length === MAX_REQUIREMENTS)
      reader.fail(`a selector has at most ${MAX_REQUIREMENTS} requirements`);
    requirements.push(requirementOf(reader));
    reader.skipSpace();
    if (reader.isAtEnd) return requirements;
    if (!reader.take(',')) {
      reader.fail(
        requirements.at(-1)?.operator === 'exists'
          ? 'expected =, ==, !=, in, notin, a comma or the end'
          : 'expected a comma or the end',
      );
    }
  }
}
