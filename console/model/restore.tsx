import { endpoint as listRemoved } from '../../functions/api/removals/list/endpoint.ts';
import { endpoint as restoreRemoved } from '../../functions/api/removals/restore/endpoint.ts';
import { ApiFailure, call, type ReplyOf } from '../api/client.tsx';

export type RestoreReply = ReplyOf<typeof restoreRemoved>;

/** Number of removals per page, and of pages, that are searched for the latest removal of an object. */
const PAGE_SIZE = 100;
const MAX_PAGES = 5;

/**
 * Restores the objects of one removal.
 *
 * @throws ApiFailure if a name is taken, an object that it refers to does not exist, or the removal was restored
 * before.
 */
export async function restoreRemoval(removalId: string): Promise<RestoreReply> {
  const reply = await call(restoreRemoved, { params: { removal_id: removalId } });
  return reply;
}

/** The last removal of an object; undefined if others have followed in large number, or if it was restored. */
async function removalOf(objectId: string): Promise<string | undefined> {
  let token: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const query = { page_size: PAGE_SIZE, page_token: token };
    const { removals, next_page_token: next } = await call(listRemoved, { query });
    const found = removals.find(({ objects }) => objects.some(({ id }) => id === objectId));
    if (found !== undefined) return found.removal_id;
    if (next === undefined) return undefined;
    token = next;
  }
  return undefined;
}

/**
 * Restores an object with all objects of the same removal. The reply to a removal is empty, so its id is searched among
 * the latest ones.
 *
 * @throws ApiFailure as `restoreRemoval`.
 */
export async function undoRemoval(objectId: string): Promise<RestoreReply> {
  const removalId = await removalOf(objectId);
  if (removalId === undefined)
    throw new ApiFailure(404, { message: 'The removal is no longer among the last ones, or it was restored before.' });
  return restoreRemoval(removalId);
}
