import type { Table } from '../../shared/db/table.ts';
import type { NodeType } from '../catalogue/node-types.ts';
import { facetPartition } from './keys.ts';
import { listByFacet, listByIndex, type Page, type PageOptions } from './lists.ts';
import type { Node, Stored } from './stored.ts';

export interface NodeFilters {
  node_type?: NodeType | undefined;
  name_prefix?: string | undefined;
  region?: string | undefined;
}

/** Which nodes match? The region, when given, picks the partition; else the type does. */
export async function listNodes(table: Table, filters: NodeFilters, page: PageOptions): Promise<Page<Node>> {
  const { node_type: type, name_prefix: prefix = '', region } = filters;
  const { objects, next } =
    region === undefined
      ? await listByIndex(table, { kind: 'node', type, prefix }, page)
      : await listByFacet(table, { kind: 'node', partition: facetPartition('node', 'region', region), prefix }, page);
  return { objects: nodesIn(objects).filter((node) => type === undefined || node.node_type === type), next };
}

function nodesIn(objects: readonly Stored[]): Node[] {
  return objects.flatMap((stored) => (stored.kind === 'node' ? [stored.object] : []));
}
