import { endpoint as listApiKeys } from '../../functions/api/api-keys/list/endpoint.ts';
import { REGISTRAR_PREFIX } from '../../functions/domain/access/api-key.ts';
import { call, type ReplyOf } from '../api/client.tsx';

export type ApiKey = ReplyOf<typeof listApiKeys>['api_keys'][number];

/** A service has 1,000 keys of programs at most, which is the size of one page: filtering them is this page's own work. */
export const PAGE_SIZE = 1000;

/** Keys of hosts: of a large fleet, the list shows the first ones, and those that the filter names. */
export const HOST_PAGE_SIZE = 100;

interface LoadedKeys {
  keys: readonly ApiKey[];
  /** Not all keys of hosts are among them. */
  hasMoreHosts: boolean;
}

/** The keys of programs, and the first keys of hosts with names that start with this one. */
export async function loadKeys(includeExpired: boolean, nodeName: string, signal: AbortSignal): Promise<LoadedKeys> {
  const list = (query: { page_size: number; exclude_hosts?: boolean; name_prefix?: string }) =>
    call(listApiKeys, { query: { ...query, include_expired: includeExpired } }, { signal });
  const [programs, hosts] = await Promise.all([
    list({ page_size: PAGE_SIZE, exclude_hosts: true }),
    list({ page_size: HOST_PAGE_SIZE, name_prefix: REGISTRAR_PREFIX + nodeName }),
  ]);
  return {
    keys: [...programs.api_keys, ...hosts.api_keys].toSorted((left, right) => (left.name < right.name ? -1 : 1)),
    hasMoreHosts: hosts.next_page_token !== undefined,
  };
}
