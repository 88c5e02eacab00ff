import { type Health, healthOf } from '../model/health.ts';
import { agents, type InventoryObject, type Kind, nodes, services } from '../model/kinds.tsx';
import { presentObjects } from '../model/object-cache.tsx';
import type { SearchHit } from '../search-index/inventory-index.ts';

/** The present health of the results by their ids: a request for each kind. Clusters, and removed objects, have none. */
export async function healthOfHits(hits: readonly SearchHit[]): Promise<ReadonlyMap<string, Health>> {
  const of = async <T extends InventoryObject>(kind: Kind<T>) => {
    const ids = hits.filter((hit) => hit.kind === kind.noun).map(({ id }) => id);
    const objects = ids.length === 0 ? [] : await presentObjects(kind, ids);
    return objects.flatMap((object) => {
      const health = healthOf(object);
      return health === undefined ? [] : [[kind.idOf(object), health] as const];
    });
  };
  return new Map((await Promise.all([of(nodes), of(services), of(agents)])).flat());
}
