import { queries } from '../api/queries.tsx';
import { searchIndex } from '../search-index/search-index.tsx';
import { type InventoryObject, type Kind, textOf } from './kinds.tsx';
import { byNumbers } from '../../shared/core/by-numbers.ts';

/** The values that the objects of a list have in some fields. */
export interface FieldValues {
  values: Readonly<Record<string, readonly string[]>>;
  /** The number of objects that were read. */
  count: number;
  /** Whether these are all objects. */
  complete: boolean;
}

/** The largest page of a list. */
const PAGE_SIZE = 1000;

/** Maximum number of pages: a larger inventory has more values than a menu can show. */
export const MAX_PAGES = 20;

/**
 * Reads the values of fields from the index if it is complete. Otherwise reads these fields of the whole list, page by
 * page: the API has no list of values. The result is cached for a minute.
 *
 * @param progress Called with the values so far, after each page.
 */
export async function readValues<T extends InventoryObject>(
  kind: Kind<T>,
  fields: readonly string[],
  { signal, progress }: { signal: AbortSignal; progress: (found: FieldValues) => void },
): Promise<FieldValues> {
  if (searchIndex.isReady()) return { values: await searchIndex.values(kind.noun, fields), count: 0, complete: true };
  const key = ['names', 'values', kind.folder, fields];
  const known = queries.getQueryData<FieldValues>(key);
  if (known !== undefined) return known;
  const found = new Map(fields.map((field) => [field, new Set<string>()]));
  let [token, count]: [string | undefined, number] = [undefined, 0];
  for (let pages = 1; ; pages += 1) {
    const query = { fields: fields.join(','), page_size: String(PAGE_SIZE), page_token: token };
    const { objects, next } = await kind.list(query, { signal });
    for (const object of objects)
      for (const [field, values] of found) {
        const value = textOf(object, field);
        if (value !== undefined) values.add(value);
      }
    count += objects.length;
    token = next;
    const values = Object.fromEntries([...found].map(([field, several]) => [field, [...several].sort(byNumbers)]));
    const result = { values, count, complete: token === undefined };
    if (token === undefined || pages === MAX_PAGES) {
      queries.setQueryData<FieldValues>(key, result);
      return result;
    }
    progress(result);
  }
}
