import type { Caller } from '../../functions/contract/caller.ts';

type Person = Pick<Caller, 'kind' | 'name'> & { id: string };

/**
 * The owner of saved filters: the name of a user, whose sessions change, or the id of an API key, whose name can be
 * reused.
 */
const ownerOf = ({ kind, id, name }: Person) => (kind === 'api_key' ? `key/${id}` : `user/${encodeURIComponent(name)}`);

/** The key of the saved filters of a list in the storage of the browser. */
export const filtersKey = (caller: Person, folder: string) => `saved-filters/${ownerOf(caller)}/${folder}`;

/**
 * Gives a user the filters that an earlier version stored for all users of the browser. The first user with a
 * password gets them, and nobody after that: earlier versions had one user. Who logs in with an API key gets none.
 */
export function takeOver(
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  caller: Person,
  folder: string,
): void {
  const common = `saved-filters/${folder}`;
  const stored = storage.getItem(common);
  if (stored === null || caller.kind === 'api_key') return;
  const own = filtersKey(caller, folder);
  if (storage.getItem(own) === null) storage.setItem(own, stored);
  storage.removeItem(common);
}
