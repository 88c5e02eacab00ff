import type { Table } from '../../../shared/db/table.ts';
import type { ServiceType } from '../../domain/service/types.ts';
import type { Page, PageOptions } from '../table/page.ts';
import { listObjects, type Related, type Selection, withValue } from './query-planner.ts';
import type { Service } from '../entities/entity.ts';

export interface ServiceFilters extends Selection {
  service_type?: ServiceType | undefined;
  name_prefix?: string | undefined;
  node_id?: string | undefined;
  cluster?: string | undefined;
  environment?: string | undefined;
  group?: string | undefined;
}

function runsOn(id: string): Related<'service'> {
  return { kind: 'node', id, relation: 'services', holds: ({ node_ids: nodeIds }) => nodeIds.includes(id) };
}

/**
 * The services that match.
 *
 * @param now for their states; undefined: the stored objects.
 * @throws ApiError `notFound` when the node does not exist.
 */
export function listServices(
  table: Table,
  filters: ServiceFilters,
  page: PageOptions,
  now: Date | undefined,
): Promise<Page<Service>> {
  const { service_type: type, name_prefix: prefix, node_id: nodeId, cluster, group, environment } = filters;
  const requirements = [
    ...withValue('cluster', cluster),
    ...withValue('group', group),
    ...withValue('environment', environment),
    ...withValue('service_type', type),
  ];
  const related = nodeId === undefined ? undefined : runsOn(nodeId);
  return listObjects(table, 'service', { requirements, prefix, related, selection: filters }, page, now);
}
