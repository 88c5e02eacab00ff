import { loadKeys } from '../model/api-keys.tsx';
import { useLoad } from '../ui/use-load.tsx';

/**
 * The keys of the list.
 *
 * @param nodeName the start of a node name. Finds keys of hosts beyond the first ones.
 */
export function useKeys(includeExpired: boolean, nodeName: string) {
  const first = useLoad(['api-keys', includeExpired], (signal) => loadKeys(includeExpired, '', signal));
  const hasMoreHosts = first.value?.hasMoreHosts === true;
  const search = hasMoreHosts ? nodeName : '';
  const hostKeys = useLoad(
    ['api-keys', includeExpired, search],
    search === '' ? undefined : (signal) => loadKeys(includeExpired, search, signal),
  );
  return {
    value: hostKeys.value?.keys ?? first.value?.keys,
    hasMoreHosts,
    // A search begins after the first keys are loaded, and the table shows them until it ends.
    loading: first.loading,
    failure: first.failure ?? hostKeys.failure,
    reload: () => {
      first.reload();
      if (search !== '') hostKeys.reload();
    },
  };
}
