import { endpoint as listChanges } from '../../functions/api/changes/list/endpoint.ts';
import { ApiFailure, call } from '../api/client.tsx';

/** After more pages of changes, the page is loaded again without reading the rest of them. */
const MAX_PAGES = 5;

/**
 * Follows the change feed.
 *
 * @returns a function that says whether an object may have changed since its last call. The first call returns true.
 */
export function followChanges(): () => Promise<boolean> {
  let cursor: string | undefined;
  const start = async () => {
    ({ next: cursor } = await call(listChanges, { query: { since: 'now' } }));
    return true;
  };
  const advance = async (since: string) => {
    let any = false;
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const { changes, next, more } = await call(listChanges, { query: { since: cursor ?? since, limit: 100 } });
      any ||= changes.length > 0;
      cursor = next;
      if (!more) return any;
    }
    return start();
  };
  return async () => {
    try {
      return await (cursor === undefined ? start() : advance(cursor));
    } catch (error) {
      // 403: the role has no access to the feed; states are refreshed, and names after a minute. 410: the cursor is too old.
      if (error instanceof ApiFailure && error.status === 403) return false;
      if (error instanceof ApiFailure && error.status === 410) return start();
      throw error;
    }
  };
}
