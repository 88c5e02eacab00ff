import { useSyncExternalStore } from 'react';

function mediaHook(query: string): () => boolean {
  const media = matchMedia(query);
  const subscribe = (listener: () => void) => {
    media.addEventListener('change', listener);
    return () => media.removeEventListener('change', listener);
  };
  return () => useSyncExternalStore(subscribe, () => media.matches);
}

/** Cloudscape's own limit for its narrow layout. */
export const useNarrow = mediaHook('(max-width: 688px)');

/** Whether there is no room for a table beside the menu, as on a small screen at twice the size. */
export const useSmall = mediaHook('(max-width: 999px)');

/** Whether a heading that stays in its place would leave no room for the rows below it. */
export const useShort = mediaHook('(max-height: 600px)');
