import { emptyValueFilters } from '../../functions/domain/fields/related-labels.ts';

/** Stands for the objects without a value, in the address and in filters: the API has an empty text for it. */
export const NO_VALUE = '(none)';

/** Whether the filter can select the objects without a value. */
export const canBeEmpty = (filter: string): boolean => emptyValueFilters.some((candidate) => candidate === filter);

/** Filters with the values that the API has. */
export const withApiValues = (
  filters: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [name, value === NO_VALUE && canBeEmpty(name) ? '' : value]),
  );
