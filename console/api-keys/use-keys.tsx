import { loadKeys } from '../model/api-keys.tsx';
import { useLoad } from '../ui/use-load.tsx';

/** The API keys. @param nodeName The start of the name of a node: also loads the keys of hosts with such a name. */
export function useKeys(includeExpired: boolean, nodeName: string) {
  const first = useLoad(['api-keys', includeExpired], (signal) => loadKeys(includeExpired, '', signal));
  const hasMoreHosts = first.value?.hasMoreHosts === true;
  const search = hasMoreHosts ? nodeName : '';
  const found = useLoad(
    ['api-keys', includeExpired, search],
    search === '' ? undefined : (signal) => loadKeys(includeExpired, search, signal),
  );
  return {
    /** Undefined until they are loaded. */
    all: found.value?.keys ?? first.value?.keys,
    hasMoreHosts,
    loading: first.loading || found.loading,
    failure: first.failure ?? found.failure,
    reload: () => {
      first.reload();
      if (search !== '') found.reload();
    },
  };
}
