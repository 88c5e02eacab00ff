import { endpoint as listRemoved } from '../../functions/api/removals/list/endpoint.ts';
import { endpoint as restoreRemoved } from '../../functions/api/removals/restore/endpoint.ts';
import { ApiFailure, call, isTransient, type ReplyOf } from '../api/client.tsx';
import { latestFirst, type Removal, type RemovedObject } from './removal.ts';

/** Number of removals per page, and of pages, that are searched for the latest removal of an object. */
const PAGE_SIZE = 100;
const MAX_PAGES = 5;

/**
 * Restores the objects of one removal.
 *
 * @throws ApiFailure if a name is taken, an object that it refers to does not exist, or the removal was restored
 * before.
 */
async function restoreRemoval(removalId: string): Promise<ReplyOf<typeof restoreRemoved>> {
  const reply = await call(restoreRemoved, { params: { removal_id: removalId } });
  return reply;
}

/** The result of a restoration. */
export interface Restoration {
  restored: readonly RemovedObject[];
  /** The objects that were not restored, with the reason. */
  left: readonly (RemovedObject & { message: string })[];
}

/**
 * Restores the objects of several removals, the last one first: its objects can refer to those of earlier ones no more.
 *
 * @returns the results of all. A removal that is refused is among `left`; after a failure of the server all others are.
 * @throws ApiFailure as `restoreRemoval`, for a single removal.
 */
export async function restoreRemovals(removals: readonly Removal[]): Promise<Restoration> {
  const restored: RemovedObject[] = [];
  const left: (RemovedObject & { message: string })[] = [];
  let down: ApiFailure | undefined;
  for (const { removal_id: id, objects } of removals.toSorted(latestFirst)) {
    try {
      if (down !== undefined) throw down;
      const reply = await restoreRemoval(id);
      restored.push(...reply.restored);
      left.push(...reply.not_restored);
    } catch (error) {
      if (removals.length === 1 || !(error instanceof ApiFailure)) throw error;
      if (isTransient(error)) down = error;
      left.push(...objects.map((object) => ({ ...object, message: error.message })));
    }
  }
  return { restored, left };
}

/** The last removals of objects; fewer if others have followed in large number, or if they were restored. */
async function removalsOf(objectIds: ReadonlySet<string>): Promise<Removal[]> {
  const left = new Set(objectIds);
  const restorable: Removal[] = [];
  let token: string | undefined;
  for (let pages = 0; pages < MAX_PAGES && left.size > 0; pages += 1) {
    const query = { page_size: PAGE_SIZE, page_token: token };
    const { removals, next_page_token: next } = await call(listRemoved, { query });
    for (const removal of removals) {
      const ids = removal.objects.map(({ id }) => id);
      if (!ids.some((id) => left.has(id))) continue;
      restorable.push(removal);
      for (const id of ids) left.delete(id);
    }
    if (next === undefined) break;
    token = next;
  }
  return restorable;
}

/**
 * Restores objects with all objects of the same removals. The reply to a removal is empty, so its id is searched among
 * the latest ones.
 *
 * @throws ApiFailure as `restoreRemovals`.
 */
export async function undoRemoval(objectIds: readonly string[]): Promise<Restoration> {
  const removals = await removalsOf(new Set(objectIds));
  if (removals.length === 0)
    throw new ApiFailure(404, { message: 'The removal is no longer among the last ones, or it was restored before.' });
  return restoreRemovals(removals);
}
