import * as z from 'zod/mini';
import { openEnum } from '../../domain/fields/open-enum.ts';
import type { Role } from '../../../shared/auth/roles.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { Caller } from '../../contract/caller.ts';
import { filteredLists } from '../../domain/records/saved-filter.ts';
import { filtersOfKey, filtersOfUser } from '../credentials/own-filters.ts';
import { FILTER_PREFIX, PIN_PREFIX, savedFilterKey, savedFiltersOf, TTL_ATTRIBUTE } from '../table/keys.ts';
import { readCollection } from '../table/read.ts';

export const filterSchema = z.object({
  saved_filter_id: z.string(),
  name: z.string(),
  list: openEnum(filteredLists),
  parameters: z.record(z.string(), z.string()),
  shared: z.boolean(),
  /** The maker, as `Person` identifies it. */
  owner: z.string(),
  /** Of a shared filter: the owners of objects to which its maker was limited. */
  owners: z.optional(z.array(z.string())),
  created_by: z.object({ kind: z.string(), id: z.string(), name: z.string() }),
  created_at: z.string(),
  updated_at: z.string(),
  revision: z.int(),
});

export type StoredFilter = z.output<typeof filterSchema>;

/** A caller whose filters outlast its sessions: a user, or an API key. */
export interface Person {
  id: string;
  role: Role;
  /** When its private filters end: with the API key. In seconds since 1970. */
  endsAt?: number | undefined;
}

export const personOf = ({ kind, keyId, name, userId, role, keyEndsAt: endsAt }: Caller): Person =>
  kind === 'api_key' ? { id: filtersOfKey(keyId), role, endsAt } : { id: filtersOfUser(userId ?? name), role };

/** DynamoDB deletes the item of a person that ends some time after that. */
export const endOf = ({ endsAt }: Person) => (endsAt === undefined ? {} : { [TTL_ATTRIBUTE]: endsAt });

/** The owner of shared filters in their keys. No person has this id. */
export const EVERYBODY = 'everybody';

export const keyOf = ({ shared, owner, list, name }: StoredFilter) =>
  savedFilterKey(shared ? EVERYBODY : owner, list, name);

/** The filters that a person sees, and the ids of those that it has pinned. */
export interface VisibleFilters {
  filters: StoredFilter[];
  pins: ReadonlySet<string>;
}

/** Two strongly consistent queries at once. */
export async function readFilters(table: Table, { id }: Person): Promise<VisibleFilters> {
  const [shared, ownItems] = await Promise.all(
    [EVERYBODY, id].map((owner) => readCollection(table, savedFiltersOf(owner))),
  );
  const items = [...(shared ?? []), ...(ownItems ?? [])];
  return {
    filters: items.filter(({ sk }) => String(sk).startsWith(FILTER_PREFIX)).map((item) => z.parse(filterSchema, item)),
    pins: new Set(
      items.flatMap(({ sk }) => (String(sk).startsWith(PIN_PREFIX) ? [String(sk).slice(PIN_PREFIX.length)] : [])),
    ),
  };
}
