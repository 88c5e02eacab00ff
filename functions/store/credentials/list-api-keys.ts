import type { Item, Table } from '../../../shared/db/table.ts';
import { REGISTRAR_PREFIX } from '../../domain/access/api-key.ts';
import { withReportedUse } from '../entities/key-use.ts';
import { API_KEY_NAME_PREFIX, API_KEYS_PARTITION, apiKeyItemKey, apiKeyNameKey } from '../table/keys.ts';
import type { Page, PageOptions } from '../table/page.ts';
import { queryUpTo, readItems } from '../table/read.ts';
import { type ApiKey, toApiKey } from './api-keys.ts';
import { MAX_API_KEYS } from './key-counters.ts';

export interface KeySelection {
  /** Only names with this prefix. */
  prefix?: string | undefined;
  /** Without the keys of nodes, of which there may be a thousand times as many. */
  excludeHosts?: boolean;
}

const isOfHost = ({ sk }: Item) => String(sk).startsWith(apiKeyNameKey(REGISTRAR_PREFIX).sk);

/** After the names of all keys of nodes: no name contains the last code point of Unicode. */
const LAST_OF_HOSTS = `${REGISTRAR_PREFIX}\u{10ffff}`;

type Names = Awaited<ReturnType<typeof queryUpTo>>;

/** The items of names, in order. One query; a second one where the keys of nodes are left out. */
async function readNames(
  table: Table,
  { size, after }: PageOptions,
  { prefix = '', excludeHosts = false }: KeySelection,
): Promise<Names> {
  const read = (most: number, start: string | undefined) =>
    queryUpTo(table, {
      partition: API_KEYS_PARTITION,
      sort: API_KEY_NAME_PREFIX + prefix,
      ConsistentRead: true,
      size: most,
      ExclusiveStartKey: start === undefined ? undefined : apiKeyNameKey(start),
    });
  if (!excludeHosts) return read(size, after?.[0]);
  if (prefix.startsWith(REGISTRAR_PREFIX)) return { items: [], more: false };
  const page = await read(size, after?.[0]);
  const hosts = page.items.findIndex(isOfHost);
  if (hosts === -1) return page;
  const before = page.items.slice(0, hosts);
  const { items, more } = await read(size - hosts, LAST_OF_HOSTS);
  return { items: [...before, ...items], more };
}

/**
 * A page of API keys by name: their hashes by `readNames`, then one round of batch reads for the keys, and one for the
 * reports of hosts among them.
 */
export async function listApiKeys(
  table: Table,
  page: PageOptions,
  selection: KeySelection = {},
): Promise<Page<ApiKey>> {
  const { items, more } = await readNames(table, page, selection);
  const hashes = items.map(({ key_hash: hash }) => String(hash));
  const keyItems = await readItems(table, hashes.map(apiKeyItemKey));
  const byPartition = new Map(keyItems.map((item) => [item['pk'], item]));
  const last = items.at(-1);
  const keys = hashes.flatMap((hash): [ApiKey, string][] => {
    const item = byPartition.get(apiKeyItemKey(hash).pk);
    return item === undefined ? [] : [[toApiKey(item), hash]];
  });
  return {
    objects: selection.excludeHosts === true ? keys.map(([key]) => key) : await withReportedUse(table, keys),
    next:
      more && last !== undefined
        ? [String(last['sk']).slice(API_KEY_NAME_PREFIX.length), String(last['key_id'])]
        : undefined,
  };
}

/** All keys except those of hosts. */
export async function allApiKeys(table: Table): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  let after: PageOptions['after'];
  do {
    const page = await listApiKeys(table, { size: MAX_API_KEYS, after }, { excludeHosts: true });
    keys.push(...page.objects);
    after = page.next;
  } while (after !== undefined);
  return keys;
}
