import { type InventoryObject, nodes } from '../../model/kinds.tsx';
import { remember } from '../../model/object-cache.tsx';
import { objectsByIds, readAll } from '../../model/read-all.tsx';
import { textOf, textsOf } from '../../search-index/indexed-object.ts';

/** The sortable fields with ids of nodes. */
const nodeFields: ReadonlySet<string> = new Set(['runs_on_node_id', 'node_ids']);

/** For more nodes, reading all nodes takes fewer requests. */
const MAX_BY_ID = 500;

/** The names of the nodes in a field of the objects, by their ids; empty for other fields. */
export async function referenceNames(
  objects: readonly InventoryObject[],
  field: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  if (!nodeFields.has(field)) return new Map();
  const ids = [...new Set(objects.flatMap((object) => textOf(object, field) ?? textsOf(object, field).slice(0, 1)))];
  const nodesFound =
    ids.length > MAX_BY_ID
      ? ((await readAll(nodes, {}, { signal, max: Infinity })) ?? [])
      : await objectsByIds(nodes, ids, signal);
  remember(nodes, nodesFound);
  return new Map(nodesFound.map((node) => [nodes.idOf(node), nodes.nameOf(node)]));
}
