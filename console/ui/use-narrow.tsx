import { useSyncExternalStore } from 'react';

/** Cloudscape's own limit for its narrow layout. */
const narrow = matchMedia('(max-width: 688px)');

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
}

export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches);
}
