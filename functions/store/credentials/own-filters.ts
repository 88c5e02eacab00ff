import { PRESENT } from '../../../shared/db/conditions.ts';
import { writeItem } from '../../../shared/db/item-writes.ts';
import type { Table } from '../../../shared/db/table.ts';
import { savedFiltersOf, TTL_ATTRIBUTE } from '../table/keys.ts';
import { readCollection } from '../table/read.ts';

/** The owner of the private saved filters and the pins of a user. */
export const filtersOfUser = (userId: string) => `user/${userId}`;

/** The same of an API key. */
export const filtersOfKey = (keyId: string) => `key/${keyId}`;

const keyOf = ({ pk, sk }: { pk?: unknown; sk?: unknown }) => ({ pk: String(pk), sk: String(sk) });

/** The keys of the private filters and the pins of an owner. One query. */
export const ownFilterKeys = async (table: Table, owner: string) =>
  (await readCollection(table, savedFiltersOf(owner))).map(keyOf);

/** Keeps the private filters and the pins of a key to its new end. One query, and a write for each. */
export async function keepOwnFilters(table: Table, owner: string, end: number): Promise<void> {
  const keys = await ownFilterKeys(table, owner);
  const set = { [TTL_ATTRIBUTE]: end };
  await Promise.all(keys.map((key) => writeItem(table, { update: key, set, condition: PRESENT })));
}
