import type { Caller } from '../../functions/contract/caller.ts';

type Person = Pick<Caller, 'kind' | 'name'> & { id: string };

/** A session is one log-in of a user: the name stays. The name of an API key can be given to another one: its id cannot. */
const ownerOf = ({ kind, id, name }: Person) => (kind === 'api_key' ? `key/${id}` : `user/${encodeURIComponent(name)}`);

/** Where the browser stores the filters of a list that somebody has saved. */
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
