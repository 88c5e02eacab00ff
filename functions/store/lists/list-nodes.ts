import type { Table } from '../../../shared/db/table.ts';
import type { NodeType } from '../../domain/node/types.ts';
import type { Page, PageOptions } from '../table/page.ts';
import { type ListReader, listObjects } from './list-objects.ts';
import { type Question, type Selection, selectObjects, withValue } from './query-planner.ts';
import type { EntityOf } from '../entities/entity.ts';

export interface NodeFilters extends Selection {
  node_type?: NodeType | undefined;
  name_prefix?: string | undefined;
  region?: string | undefined;
}

function questionOf(filters: NodeFilters): Question<'node'> {
  const { node_type: type, name_prefix: prefix, region } = filters;
  const requirements = [...withValue('region', region), ...withValue('node_type', type)];
  return { requirements, prefix, selection: filters };
}

/** The nodes that match, each as JSON. */
export function listNodes(
  table: Table,
  filters: NodeFilters,
  page: PageOptions,
  reader: ListReader,
): Promise<Page<string>> {
  return listObjects(table, 'node', questionOf(filters), page, reader);
}

/** The nodes that match, as they are stored. */
export function selectNodes(table: Table, filters: NodeFilters, page: PageOptions): Promise<Page<EntityOf<'node'>>> {
  return selectObjects(table, 'node', questionOf(filters), page);
}
