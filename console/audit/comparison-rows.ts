import type { Difference } from '../model/differences.ts';
import type { NamedChange } from './net-changes.ts';
import { byNumbers } from '../../shared/core/by-numbers.ts';

/** A field of an object whose values at two times differ. */
export interface ComparisonRow {
  key: string;
  change: NamedChange;
  difference: Difference;
}

/** A filter of the rows; undefined or empty for all. */
export interface RowFilter {
  kind?: string | undefined;
  /** The label of the field. */
  field?: string | undefined;
}

/** One row for each field of each object, by the label of the field, without those that the filter excludes. */
export function rowsOf(changes: readonly NamedChange[], { kind = '', field = '' }: RowFilter = {}): ComparisonRow[] {
  return changes
    .filter((change) => kind === '' || change.kind === kind)
    .flatMap((change) =>
      change.differences
        .filter(({ label }) => field === '' || label === field)
        .toSorted((one, other) => byNumbers(one.label, other.label))
        .map((difference) => ({ key: `${change.id} ${difference.path}`, change, difference })),
    );
}

/** A row of a page, and whether it is the first one of its object. */
export interface ShownRow extends ComparisonRow {
  isFirst: boolean;
}

/** The rows of a page, in groups by their objects. */
export const inGroups = (rows: readonly ComparisonRow[]): ShownRow[] =>
  rows.map((row, index) => ({ ...row, isFirst: rows[index - 1]?.change !== row.change }));

const textOf = (value: unknown): unknown =>
  value === undefined ? '' : typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : value;

/** A row of the CSV file: fields and values as in the API. */
export function csvRowOf({ change, difference }: ComparisonRow) {
  const { kind, id, name, action, last } = change;
  return {
    ...{ kind, id, name, action, field: difference.path },
    ...{ before: textOf(difference.before), after: textOf(difference.after) },
    ...{ last_changed_by: last.actor?.name ?? '', last_changed_at: last.time, request_id: last.request_id },
  };
}
