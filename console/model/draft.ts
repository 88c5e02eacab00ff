import type { Violation } from '../../shared/core/errors.ts';
import type { Field } from './fields.ts';

export interface LabelRow {
  name: string;
  value: string;
}

/** The value of a control: the typed text, also of a number; several texts with one per line. */
export type DraftValue = string | boolean | readonly string[] | readonly LabelRow[] | Draft;

/** The content of a form, by the names of the fields. */
export interface Draft {
  readonly [name: string]: DraftValue;
}

type Json = Readonly<Record<string, unknown>>;

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

function draftValue({ control, standard }: Field, given: unknown): DraftValue {
  const value = given ?? standard;
  switch (control.kind) {
    case 'flag':
      return value === true;
    case 'texts':
      return textsIn(value).join('\n');
    case 'references':
      return textsIn(value);
    case 'labels':
      return Object.entries(isJson(value) ? value : {}).map(([name, text]) => ({ name, value: String(text) }));
    case 'group':
      return draftOf(control.fields, isJson(value) ? value : {});
    case 'text':
    case 'number':
    case 'choice':
    case 'reference':
      return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  }
}

/** The content of a form for an object, or for the known fields of a new one. */
export function draftOf(fields: readonly Field[], object: Json): Draft {
  return Object.fromEntries(fields.map((field) => [field.name, draftValue(field, object[field.name])]));
}

/** Copies the values of the current form. Values without a field are kept for a later form that has the field. */
export function withDraft(next: Draft, current: Draft): Draft {
  const values = Object.entries(current).map(([name, value]): [string, DraftValue] => [
    name,
    isDraft(value) ? withDraft(groupIn(next[name]), value) : value,
  ]);
  return { ...next, ...Object.fromEntries(values) };
}

function isRows(value: DraftValue): value is readonly LabelRow[] {
  return Array.isArray(value) && value.every((row) => typeof row === 'object');
}

export function rowsIn(value: DraftValue | undefined): readonly LabelRow[] {
  return value !== undefined && isRows(value) ? value : [];
}

export function idsIn(value: DraftValue | undefined): readonly string[] {
  return textsIn(value);
}

export function textIn(value: DraftValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function groupIn(value: DraftValue | undefined): Draft {
  return isDraft(value) ? value : {};
}

function isDraft(value: DraftValue | undefined): value is Draft {
  return typeof value === 'object' && !Array.isArray(value);
}

/**
 * The value of a control as the API accepts it; undefined for an empty control. Text that is not a number stays text,
 * which the contract refuses.
 */
function jsonValue({ control, standard }: Field, value: DraftValue | undefined): unknown {
  switch (control.kind) {
    case 'flag':
      return value === true;
    case 'texts':
      return textIn(value)
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '');
    case 'references':
      return idsIn(value);
    case 'labels':
      return Object.fromEntries(rowsIn(value).map((row) => [row.name, row.value]));
    case 'group': {
      const group = jsonOf(control.fields, groupIn(value));
      return Object.keys(group).length > 0 || standard !== undefined ? group : undefined;
    }
    case 'number': {
      const text = textIn(value).trim();
      return text === '' ? undefined : /^-?[0-9]{1,15}$/.test(text) ? Number(text) : text;
    }
    case 'text':
    case 'choice':
    case 'reference':
      return textIn(value) === '' ? undefined : textIn(value);
  }
}

/** The content of a form as the API accepts it, without empty fields. */
export function jsonOf(fields: readonly Field[], draft: Draft): Record<string, unknown> {
  const entries = fields.map((field): [string, unknown] => [field.name, jsonValue(field, draft[field.name])]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Violations that JSON cannot express: duplicate label names. */
export function labelViolations(fields: readonly Field[], draft: Draft): Violation[] {
  return fields
    .filter(({ control }) => control.kind === 'labels')
    .flatMap(({ name: field }) => {
      const names = rowsIn(draft[field]).map(({ name }) => name);
      const twice = names.find((name, index) => names.indexOf(name) !== index);
      return twice === undefined ? [] : [{ field, reason: 'duplicate', message: `The label "${twice}" exists twice.` }];
    });
}

export function equal(left: unknown, right: unknown): boolean {
  if (isJson(left) && isJson(right)) {
    const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
    return names.every((name) => equal(left[name], right[name]));
  }
  return JSON.stringify(left) === JSON.stringify(right);
}

/** A JSON Merge Patch (RFC 7396) from one object to the other: the fields that differ, null for removed ones. */
export function patchOf(before: Json, after: Json): Record<string, unknown> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names
      .filter((name) => !equal(before[name], after[name]))
      .map((name) => {
        const [old, next] = [before[name], after[name]];
        return [name, isJson(old) && isJson(next) ? patchOf(old, next) : (next ?? null)];
      }),
  );
}

interface Versions<T> {
  mine: T;
  base: T;
  theirs: T;
}

/** Merges lists as sets: theirs, without the entries that the user removed and with those that the user added. */
function rebasedList({ mine, base, theirs }: Versions<readonly string[]>): string[] {
  const kept = theirs.filter((entry) => mine.includes(entry) || !base.includes(entry));
  return [...kept, ...mine.filter((entry) => !base.includes(entry) && !theirs.includes(entry))];
}

/** Merges labels by name: theirs, without those that the user removed and with the values that the user changed. */
function rebasedRows({ mine, base, theirs }: Versions<readonly LabelRow[]>): LabelRow[] {
  const before = new Map(base.map(({ name, value }) => [name, value]));
  const kept = theirs.flatMap((row): LabelRow[] => {
    const myRow = mine.find(({ name }) => name === row.name);
    if (myRow === undefined) return before.has(row.name) ? [] : [row];
    return [myRow.value === before.get(row.name) ? row : myRow];
  });
  const rest = mine.filter(({ name, value }) => before.get(name) !== value && !theirs.some((row) => row.name === name));
  return [...kept, ...rest];
}

function rebasedValue(
  { control }: Field,
  { mine, base, theirs }: Versions<DraftValue | undefined>,
): DraftValue | undefined {
  const lines = (value: DraftValue | undefined) => textIn(value).split('\n');
  switch (control.kind) {
    case 'group':
      return rebase(control.fields, { mine: groupIn(mine), base: groupIn(base), theirs: groupIn(theirs) });
    case 'labels':
      return rebasedRows({ mine: rowsIn(mine), base: rowsIn(base), theirs: rowsIn(theirs) });
    case 'references':
      return rebasedList({ mine: idsIn(mine), base: idsIn(base), theirs: idsIn(theirs) });
    case 'texts':
      return rebasedList({ mine: lines(mine), base: lines(base), theirs: lines(theirs) }).join('\n');
    case 'flag':
    case 'text':
    case 'number':
    case 'choice':
    case 'reference':
      return equal(mine, base) ? theirs : mine;
  }
}

/**
 * Merges the user's changes with concurrent changes by others: labels by name, lists entry by entry. If both changed
 * the same entry, the user's value is used.
 */
export function rebase(fields: readonly Field[], { mine, base, theirs }: Versions<Draft>): Draft {
  const entries = fields.map((field): [string, DraftValue] => {
    const { name } = field;
    return [name, rebasedValue(field, { mine: mine[name], base: base[name], theirs: theirs[name] }) ?? ''];
  });
  return Object.fromEntries(entries);
}
