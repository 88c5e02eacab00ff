import type { ApiFailure } from '../api/client.tsx';
import { createStore } from '../api/store.ts';

/** Above this number of objects the console does not read the inventory. The server then searches names by prefix. */
export const MAX_INDEXED = 200_000;

export type IndexState =
  | { phase: 'idle' }
  /** `total` is undefined until the server has stated it. */
  | { phase: 'reading'; read: number; total: number | undefined }
  /** `version` increases with each change of the index. */
  | { phase: 'ready'; count: number; version: number }
  | { phase: 'too_large' }
  | { phase: 'failed'; failure: ApiFailure };

export const indexState = createStore<IndexState>({ phase: 'idle' });
