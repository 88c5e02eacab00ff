import { queryOptions } from '@tanstack/react-query';
import { ApiFailure } from '../api/client.tsx';
import { queries } from '../api/queries.tsx';
import type { InventoryObject, Kind } from './kinds.tsx';

/** Maximum number of requests for names at a time. A page full of links leaves connections for the user's next action. */
const MAX_AT_ONCE = 6;

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

/** An object for its name; without `object` if it does not exist (404) or the caller may not see it (403). */
export interface NameReply<T> {
  object?: T;
  failure?: ApiFailure;
}

const nameKey = ({ folder }: Pick<Kind<InventoryObject>, 'folder'>, id: string) => ['names', folder, id] as const;

/** An object for its name and other small parts that links show. Caches 403 and 404 replies too. */
export const nameQuery = <T extends InventoryObject>(kind: Kind<T>, id: string) =>
  queryOptions({
    queryKey: nameKey(kind, id),
    queryFn: async (): Promise<NameReply<T>> => {
      try {
        return { object: await inTurn(() => kind.get(id)) };
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

/** Caches objects of a list for links. */
export function remember<T extends InventoryObject>(kind: Kind<T>, objects: readonly T[]): void {
  for (const object of objects) queries.setQueryData<NameReply<T>>(nameKey(kind, kind.idOf(object)), { object });
}
