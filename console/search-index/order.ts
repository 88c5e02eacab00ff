import { labelOf } from '../../functions/domain/fields/filterable-labels.ts';
import { byNumbers } from '../../shared/core/by-numbers.ts';
import { type StoredObject, textOf, textsOf } from './indexed-object.ts';

/** Sorts by a text of each item. Items without one are last in both directions. */
export function ordered<T>(items: readonly T[], keyOf: (item: T) => string | undefined, descending: boolean): T[] {
  const direction = descending ? -1 : 1;
  return items
    .map((item) => ({ item, key: keyOf(item) }))
    .sort(({ key: left }, { key: right }) => {
      if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
      return direction * byNumbers(left, right);
    })
    .map(({ item }) => item);
}

/**
 * The text by which an object sorts.
 *
 * @param field a field, or `label.` and the name of a label.
 * @param nameOf the name of an object, by its id: references sort by the name of the first object. Without one: by the id.
 */
export function sortKeyOf(
  { kind, object }: StoredObject,
  field: string,
  nameOf: (id: string) => string | undefined,
): string | undefined {
  if (field.startsWith('label.')) return labelOf(kind, object, field.slice('label.'.length));
  const value = textOf(object, field) ?? textsOf(object, field)[0];
  return value === undefined ? undefined : (nameOf(value) ?? value);
}
