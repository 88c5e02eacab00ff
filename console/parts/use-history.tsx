import { useState } from 'react';
import type { ApiFailure } from '../api.tsx';
import type { Change, InventoryObject, Kind } from '../inventory/kinds.tsx';
import { useLoad } from './use-load.tsx';

/** The server reads each change on its own, one after the other. */
const PAGE_SIZE = 10;

export interface History {
  /** The last one first. */
  changes: readonly Change[];
  loading: boolean;
  failure: ApiFailure | undefined;
  /** Undefined where nothing older is kept, or where it is not known yet. */
  showOlder: (() => void) | undefined;
  retry: () => void;
}

interface Place {
  /** What is shown before the page that starts here. */
  changes: readonly Change[];
  token: string | undefined;
}

const start: Place = { changes: [], token: undefined };

/** The history of an object, as far back as the user wants to see it. */
export function useHistory<T extends InventoryObject>(kind: Kind<T>, id: string): History {
  const [{ changes: before, token }, setPlace] = useState(start);
  const { value, loading, failure, reload } = useLoad(JSON.stringify([kind.folder, id, token]), (signal) =>
    kind.history(id, { page_size: PAGE_SIZE, page_token: token }, { signal }),
  );
  const changes = [...before, ...(value?.objects ?? [])];
  const next = value?.next;
  return {
    changes,
    loading,
    failure,
    showOlder: next === undefined ? undefined : () => setPlace({ changes, token: next }),
    // A place that the server does not know any more: from the start.
    retry: failure?.status === 400 && token !== undefined ? () => setPlace(start) : reload,
  };
}
