import * as z from 'zod/mini';
import type { Caller } from '../../functions/contract/caller.ts';

const schema = z.array(z.object({ name: z.string(), query: z.record(z.string(), z.string()) }));

export type StoredFilter = z.output<typeof schema>[number];

type Person = Pick<Caller, 'kind' | 'name'> & { id: string };

/** The keys of the filters of a list that an earlier version stored in the browser; the last one was for all users. */
const keysOf = ({ kind, id, name }: Person, folder: string) =>
  kind === 'api_key'
    ? [`saved-filters/key/${id}/${folder}`]
    : [`saved-filters/user/${encodeURIComponent(name)}/${folder}`, `saved-filters/${folder}`];

function filtersAt(storage: Pick<Storage, 'getItem'>, key: string): StoredFilter[] {
  try {
    return z.parse(schema, JSON.parse(storage.getItem(key) ?? '[]'));
  } catch {
    // Not written by the console.
    return [];
  }
}

/** The filters of a list that an earlier version stored in this browser for the user. */
export const storedFilters = (storage: Pick<Storage, 'getItem'>, caller: Person, folder: string): StoredFilter[] =>
  keysOf(caller, folder).flatMap((key) => filtersAt(storage, key));

/** Saves these filters elsewhere. The browser keeps each of them until it is saved. */
export async function moveStoredFilters(
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  caller: Person,
  folder: string,
  save: (filter: StoredFilter) => Promise<void>,
): Promise<void> {
  for (const key of keysOf(caller, folder)) {
    for (const filter of filtersAt(storage, key)) {
      await save(filter);
      const rest = filtersAt(storage, key).slice(1);
      if (rest.length > 0) storage.setItem(key, JSON.stringify(rest));
      else storage.removeItem(key);
    }
  }
}
