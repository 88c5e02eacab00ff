import type { ObjectKind } from '../../functions/domain/fields/object-kind.ts';
import { session } from '../api/session.tsx';
import { useStore } from '../api/store.ts';
import type { IndexClient } from './index-client.tsx';
import { indexState, type IndexState } from './index-state.tsx';
import type { IndexPage, IndexQuery, SearchResult, ValuesOfField } from './inventory-index.ts';

/** Set in the storage of the tab while the browser has a copy of the index, so that a reload continues at once. */
const COPY_FLAG = 'search-index';

let client: Promise<IndexClient> | undefined;
/** The generation of the client: what an earlier one has begun has no effect. */
let generation = 0;

/** A session continues after a reload, credentials of an API key do not. */
function ownerOfCopy(): string | undefined {
  const state = session.state();
  return state.kind === 'in' && state.caller.kind === 'session' ? state.caller.id : undefined;
}

async function startClient(started: number): Promise<IndexClient> {
  const { IndexClient } = await import('./index-client.tsx');
  const created = new IndexClient();
  if (started !== generation) created.stop();
  else void created.run(ownerOfCopy());
  return created;
}

indexState.subscribe(() => {
  if (indexState.get().phase === 'ready' && ownerOfCopy() !== undefined) sessionStorage.setItem(COPY_FLAG, '1');
});

async function remote() {
  return (await (client ?? start())).remote;
}

function start(): Promise<IndexClient> {
  const { phase } = indexState.get();
  if (client !== undefined && phase !== 'failed') return client;
  if (client !== undefined) void client.then((failed) => failed.stop());
  generation += 1;
  indexState.set({ phase: 'reading', read: 0, total: undefined });
  client = startClient(generation);
  return client;
}

/**
 * All nodes, services and agents, in a worker of the browser. Nothing is read before `start`. All questions may be asked
 * at any time; before the phase `ready` the answers contain what has been read so far.
 */
export const searchIndex = {
  /** Reads the inventory, or continues from the copy of this session. Tries again after a failure. */
  start: (): void => void start(),
  /** Continues from the copy of this session if there is one. */
  resume: (): void => {
    if (sessionStorage.getItem(COPY_FLAG) !== null && ownerOfCopy() !== undefined) void start();
  },
  isReady: (): boolean => indexState.get().phase === 'ready',
  /** Starts, and waits until the index contains what this page has changed. @returns whether the index is complete. */
  ready: async (): Promise<boolean> => {
    if (indexState.get().phase !== 'too_large') await (await start()).current();
    return new Promise((resolve) => {
      const look = () => {
        const { phase } = indexState.get();
        if (phase === 'reading') return;
        stopLooking();
        resolve(phase === 'ready');
      };
      const stopLooking = indexState.subscribe(look);
      look();
    });
  },
  /** Reads the latest changes now, not at the end of the interval. */
  refresh: (): void => void client?.then((present) => present.refresh()),
  /** Forgets everything. The copy in the browser is removed with the next log-in page. */
  forget: (): void => {
    generation += 1;
    void client?.then((present) => present.stop());
    client = undefined;
    indexState.set({ phase: 'idle' });
    sessionStorage.removeItem(COPY_FLAG);
  },
  search: async (text: string, limit: number): Promise<SearchResult> => (await remote()).search(text, limit),
  /** @returns undefined when the index cannot apply the filters. */
  list: async (query: IndexQuery): Promise<IndexPage | undefined> => (await remote()).list(query),
  values: async (kind: ObjectKind, fields: readonly string[]): Promise<ValuesOfField> =>
    (await remote()).values(kind, fields),
  labels: async (kind: ObjectKind): Promise<ValuesOfField> => (await remote()).labels(kind),
  clusterNames: async (): Promise<readonly string[]> => (await remote()).clusterNames(),
};

export function useIndexState(): IndexState {
  return useStore(indexState);
}
