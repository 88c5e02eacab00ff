import { endpoint as listClusters } from '../../functions/api/clusters/list/endpoint.ts';
import { call } from '../api/client.tsx';
import { nodes, services, textOf } from '../model/kinds.tsx';
import type { SearchGroup, SearchHit, SearchResult } from '../search-index/inventory-index.ts';
import { plural } from '../ui/words.ts';

const none: SearchGroup = { total: 0, hits: [] };

const groupOf = (hits: readonly SearchHit[]): SearchGroup => ({ total: hits.length, hits });

const unmatched = { place: undefined, area: undefined, match: undefined };

/** Asks the server for names with a prefix, for inventories that are too large for the index. Agents have no names. */
export async function searchByPrefix(prefix: string, limit: number, signal: AbortSignal): Promise<SearchResult> {
  const page_size = Math.min(limit, 100);
  const query = { name_prefix: prefix, page_size: String(page_size) };
  const [foundNodes, foundServices, { clusters }] = await Promise.all([
    nodes.list(query, { signal }),
    services.list(query, { signal }),
    call(listClusters, { query: { name_prefix: prefix, page_size } }, { signal }),
  ]);
  return {
    cluster: groupOf(
      clusters.map(({ cluster, services: count }) => ({
        ...unmatched,
        kind: 'cluster',
        id: cluster,
        name: cluster,
        type: plural(count, 'service'),
      })),
    ),
    node: groupOf(
      foundNodes.objects.map((node) => ({
        ...unmatched,
        ...{ kind: 'node', id: node.node_id, name: node.node_name, type: node.node_type, area: textOf(node, 'region') },
      })),
    ),
    service: groupOf(
      foundServices.objects.map((service) => ({
        ...unmatched,
        ...{ kind: 'service', id: service.service_id, name: service.service_name, type: service.service_type },
        area: textOf(service, 'cluster'),
      })),
    ),
    agent: none,
  };
}
