import { listChanges } from '../generated/operations.ts';
import type { Change } from '../generated/types.ts';
import type { Client } from '../operation.ts';
import type { CallOptions } from '../options.ts';

/** Less than the time-out of an attempt. */
const WAIT_SECONDS = 20;

export interface FollowOptions extends CallOptions {
  /** A stored `cursor`; `now` (default): changes from now on. */
  since?: string | undefined;
  /** Default: all but `state`. */
  kinds?: readonly ('node' | 'service' | 'agent' | 'state')[] | undefined;
  /** End when no more changes are available instead of waiting for them. */
  once?: boolean | undefined;
}

export interface ChangePage {
  changes: Change[];
  /** Store it with the effect of the changes. */
  cursor: string;
}

/**
 * Follows the changes of the inventory until the signal aborts. Store `cursor` in the transaction that processes the
 * changes, and pass it as `since` after a restart. A restart, and a cursor of `now`, can repeat changes. Requests
 * without a reply are repeated without end, unless a setting is wrong; `onRetry` of the client tells.
 *
 * @throws InventoryError with 410 if the cursor is older than the feed: read the inventory again. `mirror` does.
 */
export async function* followChanges(
  client: Client,
  { since = 'now', kinds, once = false, ...options }: FollowOptions = {},
): AsyncGenerator<ChangePage, void, void> {
  for (let cursor = since, isOver = false; !isOver;) {
    const wait = once || cursor === 'now' ? undefined : WAIT_SECONDS;
    const input = { since: cursor, limit: 1000, kinds, wait };
    const { changes, next, more } = await listChanges(client, input, { attempts: Infinity, ...options });
    const hasMoved = next !== cursor;
    cursor = next;
    isOver = once && !more;
    if (hasMoved) yield { changes, cursor };
  }
}
