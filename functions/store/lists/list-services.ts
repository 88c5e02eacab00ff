import type { Table } from '../../../shared/db/table.ts';
import type { ServiceType } from '../../domain/service/types.ts';
import type { Page, PageOptions } from '../table/page.ts';
import { type ListReader, listObjects } from './list-objects.ts';
import { type Question, type RelationFilter, type Selection, withValue } from './question.ts';
import { selectObjects } from './read-plan.ts';
import { relatedRequirements } from './related-values.ts';
import type { EntityOf } from '../entities/entity.ts';

export interface ServiceFilters extends Selection {
  service_type?: ServiceType | undefined;
  name_prefix?: string | undefined;
  node_id?: string | undefined;
  /** Those of its nodes. */
  region?: string | undefined;
  az?: string | undefined;
  cluster?: string | undefined;
  environment?: string | undefined;
  group?: string | undefined;
  address?: string | undefined;
}

function runsOn(id: string): RelationFilter<'service'> {
  return { kind: 'node', ids: [id], relation: 'services', holds: ({ node_ids: nodeIds }) => nodeIds.includes(id) };
}

/** The question of a list of services. */
export function serviceQuestion(filters: ServiceFilters): Question<'service'> {
  const { service_type: type, name_prefix: prefix, node_id: nodeId, cluster, group, environment } = filters;
  const requirements = [
    ...withValue('address', filters.address),
    ...withValue('cluster', cluster),
    ...withValue('group', group),
    ...withValue('environment', environment),
    ...withValue('service_type', type),
  ];
  const related = nodeId === undefined ? undefined : runsOn(nodeId);
  const through = relatedRequirements('service', filters);
  return { requirements, prefix, related, through, selection: filters };
}

/**
 * The services that match, each as JSON.
 *
 * @param now for their states.
 * @throws ApiError `notFound` when the node does not exist.
 */
export function listServices(
  table: Table,
  filters: ServiceFilters,
  page: PageOptions,
  reader: ListReader,
): Promise<Page<string>> {
  return listObjects(table, 'service', serviceQuestion(filters), page, reader);
}

/** The services that match, as they are stored. @throws ApiError `notFound` when the node does not exist. */
export function selectServices(
  table: Table,
  filters: ServiceFilters,
  page: PageOptions,
): Promise<Page<EntityOf<'service'>>> {
  return selectObjects(table, 'service', serviceQuestion(filters), page);
}
