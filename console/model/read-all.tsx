import { testOfObject } from '../search-index/match-filters.ts';
import { apiFilters, consoleFiltersOf } from './console-filters.ts';
import type { ListQuery, InventoryObject, Kind } from './kinds.tsx';

/** The largest page of a list. */
const PAGE_SIZE = 1000;

/** As many ids as a selector can contain. */
export const IDS_PER_CALL = 50;

/**
 * Objects with their states, in the order of the ids. Objects that were removed in the meantime are absent.
 *
 * @param filters of the API, which these objects must match as well.
 */
export async function objectsByIds<T extends InventoryObject>(
  kind: Kind<T>,
  ids: readonly string[],
  signal?: AbortSignal,
  filters: ListQuery = {},
): Promise<T[]> {
  const objectById = new Map<string, T>();
  for (let from = 0; from < ids.length; from += IDS_PER_CALL) {
    const selector = `${kind.idField} in (${ids.slice(from, from + IDS_PER_CALL).join(',')})`;
    const query = { selector, ...filters, include: 'state', page_size: String(IDS_PER_CALL) };
    for (const object of (await kind.list(query, { signal })).objects) objectById.set(kind.idOf(object), object);
  }
  return ids.flatMap((id) => objectById.get(id) ?? []);
}

export interface Reading {
  signal?: AbortSignal;
  /** Called with the number of objects that have been read. */
  progress?: (count: number) => void;
  /** More objects are not read. */
  max: number;
}

/**
 * Reads all objects of a list with their states.
 *
 * @returns undefined when the list has more than `max` objects.
 */
export async function readAll<T extends InventoryObject>(
  kind: Kind<T>,
  filters: ListQuery,
  { signal, progress, max }: Reading,
): Promise<readonly T[] | undefined> {
  const isWanted = testOfObject(kind.noun, consoleFiltersOf(kind.noun, filters));
  const objects: T[] = [];
  for (let token: string | undefined; ;) {
    const query = {
      ...apiFilters(kind.noun, filters),
      ...{ include: 'state', page_size: String(PAGE_SIZE), page_token: token },
    };
    const page = await kind.list(query, { signal });
    objects.push(...page.objects.filter(isWanted));
    if (objects.length > max) return undefined;
    progress?.(objects.length);
    if (page.next === undefined) return objects;
    token = page.next;
  }
}
