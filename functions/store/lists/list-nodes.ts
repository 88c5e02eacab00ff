import type { Table } from '../../../shared/db/table.ts';
import type { NodeType } from '../../domain/node/types.ts';
import type { Page, PageOptions } from '../table/page.ts';
import { listObjects, type Selection, withValue } from './query-planner.ts';
import type { Node } from '../entities/entity.ts';

export interface NodeFilters extends Selection {
  node_type?: NodeType | undefined;
  name_prefix?: string | undefined;
  region?: string | undefined;
}

/** The nodes that match. @param now for their states; undefined: the stored objects. */
export function listNodes(
  table: Table,
  filters: NodeFilters,
  page: PageOptions,
  now: Date | undefined,
): Promise<Page<Node>> {
  const { node_type: type, name_prefix: prefix, region } = filters;
  const requirements = [...withValue('region', region), ...withValue('node_type', type)];
  return listObjects(table, 'node', { requirements, prefix, selection: filters }, page, now);
}
