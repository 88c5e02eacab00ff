import { queryOptions } from '@tanstack/react-query';
import DataLoader from 'dataloader';
import { ApiFailure } from '../api/client.tsx';
import { queries } from '../api/queries.tsx';
import { agents, type InventoryObject, isObjectOf, type Kind, nodes, services, textOf } from './kinds.tsx';
import { isId } from './object-id.ts';
import { IDS_PER_CALL, objectsByIds } from './read-all.tsx';
import type { ObjectKind } from '../../functions/domain/fields/object-kind.ts';

/** An object for its name; without `object` if it does not exist (404) or the caller may not see it (403). */
export interface NameReply<T> {
  object?: T;
  failure?: ApiFailure;
}

const nameKey = ({ folder }: Pick<Kind<InventoryObject>, 'folder'>, id: string) => ['names', folder, id] as const;

/** Reads the objects that a page asks for at a time with one request. */
const loaderOf = <T extends InventoryObject>(kind: Kind<T>) =>
  new DataLoader<string, NameReply<T>>(
    async (ids) => {
      const objectById = new Map(
        (await objectsByIds(kind, [...new Set(ids)])).map((object) => [kind.idOf(object), object]),
      );
      return ids.map((id) => {
        const object = objectById.get(id);
        return object === undefined ? { failure: new ApiFailure(404) } : { object };
      });
    },
    { cache: false, maxBatchSize: IDS_PER_CALL },
  );

const loaders = { nodes: loaderOf(nodes), services: loaderOf(services), agents: loaderOf(agents) };

/** An object for its name and other small parts that links show. Caches 403 and 404 replies too. */
export const nameQuery = <T extends InventoryObject>(kind: Kind<T>, id: string) =>
  queryOptions({
    queryKey: nameKey(kind, id),
    queryFn: async (): Promise<NameReply<T>> => {
      try {
        // A selector could not be read with another id, which only an address typed by hand contains.
        if (!isId(id)) return { object: await kind.get(id) };
        const { object, failure } = await loaders[kind.folder].load(id);
        return object !== undefined && isObjectOf(kind, object) ? { object } : { ...(failure && { failure }) };
      } catch (error) {
        if (error instanceof ApiFailure && (error.status === 404 || error.status === 403)) return { failure: error };
        throw error;
      }
    },
  });

/** The object of `nameQuery`. @throws ApiFailure */
export async function cachedObject<T extends InventoryObject>(kind: Kind<T>, id: string): Promise<T> {
  const { object, failure } = await queries.query(nameQuery(kind, id));
  if (object === undefined) throw failure ?? new ApiFailure(404);
  return object;
}

async function cacheName({ kind, id }: { kind: ObjectKind; id: string }): Promise<void> {
  if (kind === 'node') await cachedObject(nodes, id);
  else if (kind === 'service') await cachedObject(services, id);
  else {
    const host = textOf(await cachedObject(agents, id), 'runs_on_node_id');
    if (host !== undefined) await cachedObject(nodes, host);
  }
}

/** Caches what links to these objects show: names that arrive after the links would move the page. */
export async function cacheNames(objects: readonly { kind: ObjectKind; id: string }[]): Promise<void> {
  // A link to an object without a name shows the reason.
  await Promise.allSettled(objects.map(cacheName));
}

/** The present objects with these ids, with their states; removed ones are absent. @throws ApiFailure */
export async function presentObjects<T extends InventoryObject>(kind: Kind<T>, ids: readonly string[]): Promise<T[]> {
  const replies = await loaders[kind.folder].loadMany(ids);
  const objects = replies.map((reply) => {
    if (reply instanceof Error) throw reply;
    return reply.object;
  });
  const present = objects.filter((object) => object !== undefined).filter((object) => isObjectOf(kind, object));
  remember(kind, present);
  return present;
}

/** Caches objects of a list for links. */
export function remember<T extends InventoryObject>(kind: Kind<T>, objects: readonly T[]): void {
  for (const object of objects) queries.setQueryData<NameReply<T>>(nameKey(kind, kind.idOf(object)), { object });
}
