import { isDeepStrictEqual } from 'node:util';
import type { Item } from '../../../../shared/db/table.ts';
import { internalFields } from '../../../domain/fields/internal-fields.ts';
import { recordFields } from '../../../domain/fields/common-fields.ts';

/** A field that changes. `from` is missing when the field is added, `to` when it is removed. */
export interface Difference {
  /** `address`, or `custom_labels.team` for one label. */
  field: string;
  from?: unknown;
  to?: unknown;
}

/** Fields that every change changes, and internal fields. */
const unseen = new Set([...recordFields, ...internalFields, 'custom_labels']);

function between(prefix: string, old: Item, next: Item): Difference[] {
  const names = [...new Set([...Object.keys(old), ...Object.keys(next)])].sort();
  return names.flatMap((name): Difference[] => {
    if (isDeepStrictEqual(old[name], next[name])) return [];
    return [
      {
        field: prefix + name,
        ...(old[name] === undefined ? {} : { from: old[name] }),
        ...(next[name] === undefined ? {} : { to: next[name] }),
      },
    ];
  });
}

interface LabelFields {
  custom_labels: Readonly<Record<string, string>>;
}

/** The differences between two states of an object, by field and by label, sorted by name. */
export function differences(old: LabelFields & Item, next: LabelFields & Item): Difference[] {
  const seen = (object: Item) => Object.fromEntries(Object.entries(object).filter(([name]) => !unseen.has(name)));
  return [
    ...between('', seen(old), seen(next)),
    ...between('custom_labels.', { ...old.custom_labels }, { ...next.custom_labels }),
  ];
}
