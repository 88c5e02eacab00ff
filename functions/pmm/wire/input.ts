import { isRecord } from '../../../shared/db/item.ts';
import { invalidRequest } from '../../../shared/core/errors.ts';

export type Fields = Readonly<Record<string, unknown>>;

const camelCase = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const refused = (reason: string, message: string) => invalidRequest([{ field: '', reason, message }]);

/**
 * The value of a field, by its name or its name in camel case. null counts as absent.
 *
 * @throws ApiError if the message has it under both names, as protojson does.
 */
export function given(input: Fields, name: string): unknown {
  const names = [...new Set([name, camelCase(name)])].filter((spelling) => Object.hasOwn(input, spelling));
  const [spelling = name, other] = names;
  if (other !== undefined) {
    const later = Object.keys(input).findLast((candidate) => names.includes(candidate));
    throw refused('duplicate', `duplicate field "${later}"`);
  }
  return Object.hasOwn(input, spelling) ? (input[spelling] ?? undefined) : undefined;
}

/**
 * The member of a oneof that a message has.
 *
 * @param oneof its name in errors.
 * @throws ApiError if the message has two of them, as protojson does.
 */
export function memberIn(input: Fields, members: readonly string[], oneof: string): string | undefined {
  const memberOf = (key: string) => members.find((member) => key === member || key === camelCase(member));
  const [first, second] = Object.keys(input).filter((key) => {
    const member = memberOf(key);
    return member !== undefined && given(input, member) !== undefined;
  });
  if (second !== undefined) throw refused('not_allowed', `error parsing "${second}", oneof ${oneof} is already set`);
  return first === undefined ? undefined : memberOf(first);
}

/** A message with other values of some fields, whichever of their names it has. */
export function overlaid(input: Fields, values: Fields): Fields {
  const replaced = new Set(Object.keys(values).map(camelCase));
  const kept = Object.entries(input).filter(([name]) => !replaced.has(camelCase(name)));
  return { ...Object.fromEntries(kept), ...values };
}

/** A value of another type than the field. */
export const wrongType = (name: string, expected: string) =>
  refused('invalid_type', `invalid value for ${expected} field ${name}`);

export function textIn(input: Fields, name: string): string {
  const value = given(input, name) ?? '';
  if (typeof value !== 'string') throw wrongType(name, 'string');
  return value;
}

/** The texts of Go for a flag in a query. Programs in Python send True and False. */
const flags: ReadonlyMap<unknown, boolean> = new Map([
  ...['1', 't', 'T', 'true', 'TRUE', 'True'].map((text) => [text, true] as const),
  ...['', '0', 'f', 'F', 'false', 'FALSE', 'False'].map((text) => [text, false] as const),
]);

/** A flag: a boolean of a body, or the text of a query. */
export function flagIn(input: Fields, name: string): boolean {
  const value = given(input, name) ?? false;
  const flag = typeof value === 'boolean' ? value : flags.get(value);
  if (flag === undefined) throw wrongType(name, 'bool');
  return flag;
}

export function numberIn(input: Fields, name: string): number {
  const value = given(input, name) ?? 0;
  const number = typeof value === 'string' && /^-?[0-9]{1,16}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) throw wrongType(name, 'integer');
  return number;
}

/** An object inside a message; undefined when it is absent. */
export function messageIn(input: Fields, name: string): Fields | undefined {
  const value = given(input, name);
  if (value === undefined) return undefined;
  if (!isRecord(value)) throw wrongType(name, 'message');
  return value;
}

export function textsIn(input: Fields, name: string): string[] {
  const value = given(input, name) ?? [];
  if (!Array.isArray(value)) throw wrongType(name, 'repeated string');
  return value.map((item: unknown) => {
    if (typeof item !== 'string') throw wrongType(name, 'repeated string');
    return item;
  });
}

/** A map of text to text; undefined when it is absent. */
export function mapIn(input: Fields, name: string): Record<string, string> | undefined {
  const map = messageIn(input, name);
  if (map === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(map).map(([key, value]) => {
      if (typeof value !== 'string') throw wrongType(name, 'map');
      return [key, value];
    }),
  );
}

/** Ids of PMM 2 begin with the kind of the object. */
const ID_PREFIX = /^\/(node|service|agent)_id\//;

export const withoutPrefix = (id: string) => id.replace(ID_PREFIX, '');

/** An id without the prefix of generation 2. */
export const idIn = (input: Fields, name: string) => withoutPrefix(textIn(input, name));
