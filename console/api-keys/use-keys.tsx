import { endpoint as listApiKeys } from '../../functions/api/api-keys/list/endpoint.ts';
import { REGISTRAR_PREFIX } from '../../functions/domain/access/api-key.ts';
import { call } from '../api/client.tsx';
import { useLoad } from '../ui/use-load.tsx';
import type { ApiKey } from './api-key.tsx';

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

/**
 * The keys to show.
 *
 * @param nodeName the start of the name of a node, by which more keys of hosts are found.
 */
export function useKeys(includeExpired: boolean, nodeName: string) {
  const first = useLoad(`api-keys/${includeExpired}`, (signal) => loadKeys(includeExpired, '', signal));
  const hasMoreHosts = first.value?.hasMoreHosts === true;
  const search = hasMoreHosts ? nodeName : '';
  const found = useLoad(JSON.stringify([includeExpired, search]), (signal) =>
    search === '' ? Promise.resolve(undefined) : loadKeys(includeExpired, search, signal),
  );
  return {
    /** Undefined until they are loaded. */
    all: found.value?.keys ?? first.value?.keys,
    hasMoreHosts,
    loading: first.loading || found.loading,
    failure: first.failure ?? found.failure,
    reload: () => {
      first.reload();
      found.reload();
    },
  };
}
