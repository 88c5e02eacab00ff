import type { ObjectKind } from '../../functions/domain/fields/object-kind.ts';
import { withApiValues } from '../search-index/no-value.ts';

/** Filters as text, as in the address of a list. */
type Filters = Readonly<Record<string, string | undefined>>;

/** Filters that the API does not have and the console applies. filters.ts describes them. */
const names: Readonly<Record<ObjectKind, readonly string[]>> = {
  node: ['name_contains', 'address_contains'],
  service: ['name_contains', 'address_contains', 'port'],
  agent: ['disabled', 'port'],
};

/** Filters by a part of a value, in any letter case. */
export const isPart = (name: string): boolean => name.endsWith('_contains');

export const isConsoleFilter = (kind: ObjectKind, name: string): boolean => names[kind].includes(name);

/** The filters that the API does not have. */
export const consoleFiltersOf = (kind: ObjectKind, filters: Filters): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(filters).filter(([name]) => isConsoleFilter(kind, name)));

/** Whether the console applies some of these filters itself. */
export const hasConsoleFilter = (kind: ObjectKind, filters: Filters): boolean =>
  names[kind].some((name) => (filters[name] ?? '') !== '');

/** The filters that the API has, with the values that it has. */
export const apiFilters = (kind: ObjectKind, filters: Filters): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(withApiValues(filters)).filter(([name]) => !isConsoleFilter(kind, name)));
