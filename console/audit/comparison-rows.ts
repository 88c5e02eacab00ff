import { byNumbers } from '../../shared/core/by-numbers.ts';
import type { Difference } from '../model/differences.ts';
import type { NamedChange } from './net-changes.ts';

/** A field of an object whose values at two times differ, or an object that exists at one of them only. */
export interface ComparisonRow {
  key: string;
  change: NamedChange;
  /** Undefined: the whole object was added or removed. */
  difference: Difference | undefined;
}

/** A filter of the rows; undefined or empty for all. */
export interface RowFilter {
  kind?: string | undefined;
  /** The label of the field. */
  field?: string | undefined;
}

/** An added or removed object as one row. A filter by a field asks for its value. */
const isWhole = ({ action }: NamedChange, field: string) => action !== 'changed' && field === '';

/**
 * One row for each added or removed object and for each changed field, by the label of the field, without those that the
 * filter excludes.
 */
export function rowsOf(changes: readonly NamedChange[], { kind = '', field = '' }: RowFilter = {}): ComparisonRow[] {
  return changes
    .filter((change) => kind === '' || change.kind === kind)
    .flatMap((change): ComparisonRow[] =>
      isWhole(change, field)
        ? [{ key: change.id, change, difference: undefined }]
        : change.differences
            .filter(({ label }) => field === '' || label === field)
            .toSorted((one, other) => byNumbers(one.label, other.label))
            .map((difference) => ({ key: `${change.id} ${difference.path}`, change, difference })),
    );
}

/** The labels of all fields that differ. */
export const fieldsIn = (changes: readonly NamedChange[]): string[] =>
  [...new Set(changes.flatMap(({ differences }) => differences.map(({ label }) => label)))].sort(byNumbers);

/** A row of a page: one row, or those of several objects with the same change by one request. */
export interface ShownRow extends ComparisonRow {
  /** The objects, at least one. */
  changes: readonly NamedChange[];
  /** Whether it is the first one of its object. */
  isFirst: boolean;
}

/** Fewer objects with the same change have a row each. */
const MIN_FOLDED = 5;

/** A key that rows with the same change by the same request share. */
const sameChange = ({ change: { action, last }, difference }: ComparisonRow): string =>
  JSON.stringify([last.request_id, action, difference]);

/** The rows in their order. The same change of several objects by one request is one row, in the place of the first. */
export function folded(rows: readonly ComparisonRow[]): ShownRow[] {
  const groups = Map.groupBy(rows, sameChange);
  const shown = rows.flatMap((row): Omit<ShownRow, 'isFirst'>[] => {
    const group = groups.get(sameChange(row)) ?? [];
    if (group.length < MIN_FOLDED) return [{ ...row, changes: [row.change] }];
    return group[0] === row ? [{ ...row, changes: group.map(({ change }) => change) }] : [];
  });
  return shown.map((row, index) => ({
    ...row,
    isFirst:
      row.changes.length > 1 || shown[index - 1]?.changes.length !== 1 || shown[index - 1]?.change !== row.change,
  }));
}

const textOf = (value: unknown): unknown =>
  value === undefined ? '' : typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : value;

/** The fields of an object that was added or removed, by their paths. */
const wholeOf = ({ differences }: NamedChange, side: 'before' | 'after') => {
  const fields = differences.flatMap((one) => (one[side] === undefined ? [] : [[one.path, one[side]] as const]));
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
};

/** A row of the CSV file: fields and values as in the API. An added or removed object has its fields in one value. */
export function csvRowOf({ change, difference }: ComparisonRow) {
  const { kind, id, name, action, last } = change;
  const [before, after] =
    difference === undefined
      ? [wholeOf(change, 'before'), wholeOf(change, 'after')]
      : [difference.before, difference.after];
  return {
    ...{ kind, id, name, action, field: difference?.path ?? '' },
    ...{ before: textOf(before), after: textOf(after) },
    ...{ last_changed_by: last.actor?.name ?? '', last_changed_at: last.time, request_id: last.request_id },
  };
}
