import type { Table } from '../../shared/db/table.ts';
import type { ServiceType } from '../catalogue/service-types.ts';
import { facetPartition } from './keys.ts';
import { listByFacet, listByIndex, listByRelation, type Page, type PageOptions } from './lists.ts';
import { mustExist } from './objects.ts';
import type { Service, Stored } from './stored.ts';

export interface ServiceFilters {
  service_type?: ServiceType | undefined;
  name_prefix?: string | undefined;
  node_id?: string | undefined;
  cluster?: string | undefined;
  environment?: string | undefined;
  group?: string | undefined;
}

/** Facets from the one that usually matches the fewest to the one that matches the most. */
const facets = ['cluster', 'group', 'environment'] as const;

/**
 * Which services match? The node, or the first facet given, or the type picks the partition that is read; the other
 * filters thin out what was read, so a page may be short.
 *
 * @throws ApiError `notFound` when there is no such node.
 */
export async function listServices(table: Table, filters: ServiceFilters, page: PageOptions): Promise<Page<Service>> {
  const { objects, next } = await read(table, filters, page);
  const { service_type: type, node_id: nodeId } = filters;
  const matching = servicesIn(objects).filter(
    (service) =>
      (type === undefined || service.service_type === type) &&
      (nodeId === undefined || service.node_ids.includes(nodeId)) &&
      facets.every((facet) => filters[facet] === undefined || service[facet] === filters[facet]),
  );
  return { objects: matching, next };
}

async function read(table: Table, filters: ServiceFilters, page: PageOptions): Promise<Page<Stored>> {
  const { service_type: type, name_prefix: prefix = '', node_id: nodeId } = filters;
  if (nodeId !== undefined) {
    const [found] = await Promise.all([
      listByRelation(table, { kind: 'node', id: nodeId, relation: 'services', prefix }, page),
      mustExist(table, 'node', nodeId),
    ]);
    return found;
  }
  for (const facet of facets) {
    const value = filters[facet];
    if (value !== undefined)
      return listByFacet(table, { kind: 'service', partition: facetPartition('service', facet, value), prefix }, page);
  }
  return listByIndex(table, { kind: 'service', type, prefix }, page);
}

function servicesIn(objects: readonly Stored[]): Service[] {
  return objects.flatMap((stored) => (stored.kind === 'service' ? [stored.object] : []));
}
