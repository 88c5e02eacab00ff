import { labelIn } from '../core/field-names.ts';
import { type Fields, isFields, isList } from '../core/values.ts';

/** A value that differs. Absent or null is no value. */
export interface ValueDifference {
  /** `region`, `insights.service_ids`, `custom_labels.team`. */
  field: string;
  from?: unknown;
  to?: unknown;
}

/** The values that differ between two objects; those of maps one by one. */
export function differencesBetween(before: Fields, after: Fields, path = ''): ValueDifference[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const [from, to, field] = [before[name], after[name], `${path}${name}`];
    if (isFields(from) || isFields(to))
      return differencesBetween(isFields(from) ? from : {}, isFields(to) ? to : {}, `${field}.`);
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ field, from, to }];
  });
}

/** A word is as it is. Other texts are in quotes, so that none looks like a list, or like no value. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return 'none';
  if (isList(value)) return value.length === 0 ? 'none' : value.map(textOf).join();
  return typeof value === 'string' && /^[\w.:/@+-]+$/.test(value) && value !== 'none' ? value : JSON.stringify(value);
}

/** `region: eu -> none; label.team: a -> b`. */
export const differencesText = (differences: readonly ValueDifference[]): string =>
  differences
    .map(({ field, from, to }) => {
      const label = labelIn(field);
      return `${label === undefined ? field : `label.${label}`}: ${textOf(from)} -> ${textOf(to)}`;
    })
    .join('; ');
