import { disabledText } from '../search-index/indexed-object.ts';
import { canFilter } from '../search-index/match-filters.ts';
import { searchIndex } from '../search-index/search-index.tsx';
import { apiFilters } from './console-filters.ts';
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
  const found = new Map<string, T>();
  for (let from = 0; from < ids.length; from += IDS_PER_CALL) {
    const selector = `${kind.idField} in (${ids.slice(from, from + IDS_PER_CALL).join(',')})`;
    const query = { selector, ...filters, include: 'state', page_size: String(IDS_PER_CALL) };
    for (const object of (await kind.list(query, { signal })).objects) found.set(kind.idOf(object), object);
  }
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Only the index knows the services of each cluster. */
const needsIndex = (noun: Kind<InventoryObject>['noun'], { cluster }: ListQuery): boolean =>
  noun === 'agent' && (cluster ?? '') !== '';

export interface Reading {
  signal?: AbortSignal;
  /** Called with the number of objects that have been read. */
  progress?: (count: number) => void;
  /** More objects are not read. */
  max: number;
}

/** The ids of all matches in the index, in the order of the list; undefined when the index cannot answer. */
async function idsInIndex<T extends InventoryObject>(kind: Kind<T>, filters: ListQuery, max: number) {
  if (!(await searchIndex.ready())) return undefined;
  const query = { kind: kind.noun, filters, sortBy: undefined, descending: false, offset: 0, limit: max + 1 };
  const page = await searchIndex.list(query);
  return page?.objects.flatMap((object) => {
    const id = object[kind.idField];
    return typeof id === 'string' ? [id] : [];
  });
}

/** The filters that the index cannot apply: those by reported state. */
const reportedFilters = (noun: Kind<InventoryObject>['noun'], filters: ListQuery): ListQuery =>
  Object.fromEntries(Object.entries(filters).filter(([name, value]) => !canFilter(noun, { [name]: value })));

/**
 * Reads all objects of a list with their states.
 *
 * @returns undefined when the list has more than `max` objects, or when it needs the index, which is not complete.
 */
export async function readAll<T extends InventoryObject>(
  kind: Kind<T>,
  filters: ListQuery,
  { signal, progress, max }: Reading,
): Promise<readonly T[] | undefined> {
  if (needsIndex(kind.noun, filters)) {
    const reported = reportedFilters(kind.noun, filters);
    const indexed = Object.fromEntries(Object.entries(filters).filter(([name]) => !Object.hasOwn(reported, name)));
    const ids = await idsInIndex(kind, indexed, max);
    return ids === undefined || ids.length > max ? undefined : objectsByIds(kind, ids, signal, reported);
  }
  const { disabled } = filters;
  const isWanted = (object: T) => disabled === undefined || disabledText(object) === disabled;
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
