import { session } from '../api/session.tsx';
import { searchIndex } from '../search-index/search-index.tsx';
import { type InventoryObject, type Kind, textOf } from './kinds.tsx';

/** The values that the objects of a list have in some fields. */
export interface FieldValues {
  values: Readonly<Record<string, readonly string[]>>;
  /** How many objects were read. */
  count: number;
  /** Whether those are all. */
  complete: boolean;
}

/** The largest page of a list. */
const PAGE_SIZE = 1000;

/** The most pages for one reading: a larger inventory has more values than a menu can offer anyway. */
export const MAX_PAGES = 20;

/** So long the values are offered without reading them again. */
const FRESH_MS = 60_000;

const cache = new Map<string, { at: number; values: FieldValues }>();

// Another user may see others.
session.subscribe(() => cache.clear());

/**
 * Reads which values there are from the index if it is complete, otherwise from the whole list, page by page. The API has
 * no list of values: each page asks for these fields only.
 *
 * @param progress what was found so far, after each page.
 */
export async function readValues<T extends InventoryObject>(
  kind: Kind<T>,
  fields: readonly string[],
  { signal, progress }: { signal: AbortSignal; progress: (found: FieldValues) => void },
): Promise<void> {
  if (searchIndex.isReady()) {
    progress({ values: await searchIndex.values(kind.noun, fields), count: 0, complete: true });
    return;
  }
  const key = JSON.stringify([kind.folder, fields]);
  const known = cache.get(key);
  if (known !== undefined && known.at > Date.now() - FRESH_MS) {
    progress(known.values);
    return;
  }
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
    const values = Object.fromEntries([...found].map(([field, several]) => [field, [...several].sort()]));
    const result = { values, count, complete: token === undefined };
    progress(result);
    if (token !== undefined && pages < MAX_PAGES) continue;
    cache.set(key, { at: Date.now(), values: result });
    return;
  }
}
