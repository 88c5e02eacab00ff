import { endpoint as listChanges } from '../../functions/api/changes/list/endpoint.ts';
import { ApiFailure, call } from '../api/client.tsx';
import { forgetObjects } from './object-cache.tsx';

/** More changes at once are not read one by one: the page is loaded again in any case. */
const MAX_PAGES = 5;

let cursor: string | undefined;

async function start(): Promise<void> {
  ({ next: cursor } = await call(listChanges, { query: { since: 'now' } }));
}

/** Reads the changes since the cursor; whether there were any. */
async function advance(since: string): Promise<boolean> {
  let any = false;
  let next = since;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const reply = await call(listChanges, { query: { since: next, limit: 100 } });
    any ||= reply.changes.length > 0;
    ({ next } = reply);
    cursor = next;
    if (!reply.more) return any;
  }
  await start();
  return true;
}

/** Whether an object may have changed since the last call. The first call says so too, because nothing is known before it. */
export async function hasChanged(): Promise<boolean> {
  try {
    if (cursor !== undefined && !(await advance(cursor))) return false;
    if (cursor === undefined) await start();
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    // A role without the feed: states are refreshed, and names after a minute.
    if (error.status === 403) return false;
    if (error.status !== 410) throw error;
    await start();
  }
  forgetObjects();
  return true;
}

/** The next call begins again. */
export function forgetFeed(): void {
  cursor = undefined;
}
