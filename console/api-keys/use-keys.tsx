import { loadKeys } from '../model/api-keys.tsx';
import { useLoad } from '../ui/use-load.tsx';

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
