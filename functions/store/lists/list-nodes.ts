import type { Table } from '../../../shared/db/table.ts';
import type { NodeType } from '../../domain/node/types.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import type { Requirement } from '../../../shared/selector/requirement.ts';
import { MAX_MEMBERS } from '../../domain/service/cluster.ts';
import { objectsById } from '../entities/get.ts';
import { isVisible, type Scope } from '../entities/key-scope.ts';
import { labelIndexPartition } from '../table/keys.ts';
import { readReferences } from './merge-references.ts';
import type { Page, PageOptions } from '../table/page.ts';
import { type ListReader, listObjects } from './list-objects.ts';
import { type Question, type Selection, withValue } from './question.ts';
import { selectObjects } from './read-plan.ts';
import type { EntityOf } from '../entities/entity.ts';

export interface NodeFilters extends Selection {
  node_type?: NodeType | undefined;
  name_prefix?: string | undefined;
  region?: string | undefined;
  az?: string | undefined;
  address?: string | undefined;
}

export interface ListedNodeFilters extends NodeFilters {
  /** That of services on the node. */
  cluster?: string | undefined;
}

function questionOf(filters: NodeFilters): Question<'node'> {
  const { node_type: type, name_prefix: prefix, region, az, address } = filters;
  const requirements = [
    ...withValue('address', address),
    ...withValue('region', region),
    ...withValue('az', az),
    ...withValue('node_type', type),
  ];
  return { requirements, prefix, selection: filters };
}

/**
 * The services of a cluster. Two reads, of the label index and of the services.
 *
 * @throws ApiError `failedPrecondition` for a cluster with too many services.
 */
export async function servicesOfCluster(table: Table, cluster: string): Promise<EntityOf<'service'>[]> {
  const collection = { pk: labelIndexPartition('service', 'cluster', cluster), before: '' };
  const range = { prefix: '', after: undefined, size: MAX_MEMBERS };
  const { references, reach } = await readReferences(table, collection, range);
  if (reach !== undefined)
    throw new ApiError('failedPrecondition', `The cluster "${cluster}" has more than ${MAX_MEMBERS} services.`);
  const members = await objectsById(
    table,
    'service',
    references.map(({ id }) => id),
  );
  return [...members.values()];
}

/** The ids of the nodes on which those services of a cluster run that the caller may see. */
async function nodesOfCluster(table: Table, cluster: string, scope: Scope): Promise<string[]> {
  const members = await servicesOfCluster(table, cluster);
  const visible = members.filter((member) => isVisible(scope, member));
  return [...new Set(visible.flatMap(({ object }) => object.node_ids))];
}

/**
 * The question of a list of nodes.
 *
 * @throws ApiError `failedPrecondition` for a cluster with too many services.
 */
export async function nodeQuestion(
  table: Table,
  { cluster, ...filters }: ListedNodeFilters,
  scope: Scope,
): Promise<Question<'node'>> {
  const question = questionOf(filters);
  if (cluster === undefined) return question;
  const [first = '', ...others] = await nodesOfCluster(table, cluster, scope);
  const isInCluster: Requirement = { label: 'node_id', operator: 'in', values: [first, ...others] };
  return { ...question, requirements: [isInCluster, ...question.requirements] };
}

/** The nodes that match, each as JSON. @throws ApiError as `nodeQuestion`. */
export async function listNodes(
  table: Table,
  filters: ListedNodeFilters,
  page: PageOptions,
  reader: ListReader,
): Promise<Page<string>> {
  // Without a cluster nothing is read before the page, not even later: the secret of tokens is read beside it.
  const question =
    filters.cluster === undefined ? questionOf(filters) : await nodeQuestion(table, filters, reader.scope);
  return listObjects(table, 'node', question, page, reader);
}

/** The nodes that match, as they are stored. */
export function selectNodes(table: Table, filters: NodeFilters, page: PageOptions): Promise<Page<EntityOf<'node'>>> {
  return selectObjects(table, 'node', questionOf(filters), page);
}
