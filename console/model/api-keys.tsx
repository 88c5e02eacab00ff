import { endpoint as listApiKeys } from '../../functions/api/api-keys/list/endpoint.ts';
import { REGISTRAR_PREFIX } from '../../functions/domain/access/api-key.ts';
import { call, type ReplyOf } from '../api/client.tsx';

export type ApiKey = ReplyOf<typeof listApiKeys>['api_keys'][number];

/** The size of one page, and the maximum number of keys of programs: the page filters them itself. */
export const PAGE_SIZE = 1000;

/** Maximum number of keys of hosts in the list. The filter finds others by the name of the node. */
export const HOST_PAGE_SIZE = 100;

interface LoadedKeys {
  keys: readonly ApiKey[];
  /** Whether the list lacks keys of hosts. */
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
