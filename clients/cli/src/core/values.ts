import type { CommandError } from './exit-codes.ts';

export type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isList = (value: unknown): value is unknown[] => Array.isArray(value);

/** The fields of an object whose type has no index. */
export const fieldsOf = (object: object): Fields => ({ ...object });

/** @throws CommandError that says what is no JSON. */
export function parseJson(text: string, refuse: (message: string) => CommandError): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error));
  }
}

/** `name=value`. */
export function pairOf(text: string, refuse: () => CommandError): [name: string, value: string] {
  const index = text.indexOf('=');
  if (index < 1) throw refuse();
  return [text.slice(0, index), text.slice(index + 1)];
}

/** `30%` or `30`; undefined if it is no whole share of 100. */
export function percentOf(text: string): number | undefined {
  const [, digits] = /^(\d{1,3})%?$/.exec(text) ?? [];
  return digits === undefined || Number(digits) > 100 ? undefined : Number(digits);
}

const units = new Map([
  ['ms', 1],
  ['', 1000],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 7 * 86_400_000],
]);

/** `30s`, `500ms`, `2m`, `1h`, `3d`, `1w` in milliseconds; a number without a unit is in seconds. Undefined if it is none of these. */
export function milliseconds(text: string): number | undefined {
  const [, number, unit = ''] = /^(\d{1,9}(?:\.\d+)?)(ms|s|m|h|d|w)?$/.exec(text) ?? [];
  const factor = units.get(unit);
  return number === undefined || factor === undefined ? undefined : Number(number) * factor;
}
