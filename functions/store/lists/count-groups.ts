import type { Position } from '../../../shared/db/page-token.ts';
import type { Table } from '../../../shared/db/table.ts';
import { labelOf } from '../../domain/fields/filterable-labels.ts';
import type { ObjectKind } from '../../domain/fields/object-kind.ts';
import { type Group, type GroupQuery, type Grouping, groupingOf } from '../../domain/groups/groups.ts';
import { type Entity, keyOf } from '../entities/entity.ts';
import { objectsById } from '../entities/get.ts';
import { isVisible, type Scope } from '../entities/key-scope.ts';
import { allHeartbeats, type Heartbeats, MAX_KEPT_HEARTBEATS } from '../heartbeats/heartbeat.ts';
import { agentVersionsOn, stateOf, statusOf, versionOf } from '../heartbeats/shown-state.ts';
import type { PageOptions } from '../table/page.ts';
import { statesAt } from './by-states.ts';
import { agentQuestion } from './list-agents.ts';
import { nodeQuestion } from './list-nodes.ts';
import { relations } from '../table/keys.ts';
import { Groups } from './groups.ts';
import { readReferences } from './merge-references.ts';
import { type ListReader, logPlan } from './list-objects.ts';
import { serviceQuestion } from './list-services.ts';
import { allPages, listedById } from './pages.ts';
import { planOf } from './plan.ts';
import { type Question, withValue } from './question.ts';
import { type PlanPage, readPlan } from './read-plan.ts';
import { isRelatedLabel, ownerKindOf, readRelated, type RelatedObjects, relatedValues } from './related-values.ts';

/** The most objects that one request counts: 20 pages of 1,000. */
const PAGES = 20;
const PAGE_SIZE = 1000;

/** Objects of another kind that are read as a list if the objects to count are; further ones are read by their id. */
const MAX_LISTED = 20_000;

/** With as many groups a reply ends: a value can have a kilobyte. */
const MAX_GROUPS = 1000;

type Filters = Omit<GroupQuery, 'after' | 'type'>;

type PageReader = (page: PageOptions) => Promise<PlanPage<ObjectKind>>;

/** How to read a page of the objects that match all filters, with their heartbeats. */
async function pagesOf(
  table: Table,
  { kind, type, ...selection }: Omit<GroupQuery, 'after'>,
  reader: ListReader,
  heartbeats: Heartbeats | undefined,
): Promise<PageReader> {
  const ofType = withValue(`${kind}_type`, type);
  const states = statesAt(reader.now);
  const pages =
    <Kind extends ObjectKind>(of: Kind, question: Question<Kind>): PageReader =>
    async (page) => {
      const requirements = [...question.requirements, ...ofType];
      const asked = { ...question, requirements, isForReply: true, scope: reader.scope };
      const plan = await planOf(table, of, asked, page.after, { states, showsStates: true, heartbeats });
      logPlan(reader, plan);
      return readPlan(table, plan, page);
    };
  if (kind === 'node') return pages(kind, await nodeQuestion(table, selection, reader.scope));
  return kind === 'service' ? pages(kind, serviceQuestion(selection)) : pages(kind, agentQuestion(selection));
}

/** Whether the filters name few objects, as far as one can know before the read. */
const isNarrow = ({ selector, name_prefix: prefix, region, az, cluster, environment }: Filters) =>
  [selector, prefix, region, az, cluster, environment].some((value) => value !== undefined && value !== '');

/** The objects from which the groups follow, if they are other ones; the first of them if all objects are counted. */
async function readOwners(table: Table, kind: ObjectKind, by: Grouping, query: Filters): Promise<RelatedObjects> {
  if (isNarrow(query) || 'label' in by || !isRelatedLabel(kind, by.property)) return new Map();
  return listedById(table, ownerKindOf(by.property), MAX_LISTED);
}

type ClustersOfNodes = ReadonlyMap<string, ReadonlySet<string>>;

/** The clusters of each node, by its id: those of these services that the caller may see. */
async function clustersOfNodes(pages: AsyncIterable<readonly Entity[]>, scope: Scope): Promise<ClustersOfNodes> {
  const clusters = new Map<string, Set<string>>();
  for await (const page of pages)
    for (const entity of page) {
      const cluster = labelOf(entity.kind, entity.object, 'cluster');
      if (entity.kind !== 'service' || cluster === undefined || !isVisible(scope, entity)) continue;
      for (const id of entity.object.node_ids) {
        const clustersOfNode = clusters.get(id);
        if (clustersOfNode === undefined) clusters.set(id, new Set([cluster]));
        else clustersOfNode.add(cluster);
      }
    }
  return clusters;
}

/** With more nodes, reading the services on each costs more than reading the list of all services. */
const MAX_NODES_LOOKED_AT = 50;

/** The services on these nodes. One query of each node, then one round of batch reads. */
async function* servicesOn(table: Table, nodes: readonly Entity[]): AsyncGenerator<Entity[]> {
  const range = { prefix: '', after: undefined, size: PAGE_SIZE };
  const lists = await Promise.all(
    nodes.map((node) => readReferences(table, { pk: keyOf(node).pk, before: relations.services }, range)),
  );
  const ids = lists.flatMap(({ references }) => references.map(({ id }) => id));
  yield [...(await objectsById(table, 'service', ids)).values()];
}

interface Facts {
  heartbeats: Heartbeats;
  related: RelatedObjects;
  /** Undefined unless nodes are grouped by cluster. */
  clusters: ClustersOfNodes | undefined;
  reader: ListReader;
}

function agentVersionsOfNode(id: string, heartbeats: Heartbeats): string[] {
  const heartbeat = heartbeats.get(id);
  return heartbeat === undefined ? [] : [...agentVersionsOn(heartbeat)];
}

/** The values of an object; none: it has no value. */
function valuesOf(entity: Entity, by: Grouping, facts: Facts): readonly string[] {
  const { heartbeats, related, clusters, reader } = facts;
  const { kind, object } = entity;
  const listOf = (value: string | undefined) => (value === undefined ? [] : [value]);
  if ('label' in by) return listOf(labelOf(kind, object, by.label));
  const { property } = by;
  if (kind === 'node' && property === 'cluster') return [...(clusters?.get(object.node_id) ?? [])];
  if (isRelatedLabel(kind, property)) return relatedValues(entity, property, related, reader.scope);
  switch (property) {
    case 'state':
      return [stateOf(entity, heartbeats, reader.now)];
    case 'status':
      return listOf(statusOf(entity, heartbeats, reader.now));
    case 'agent_version':
      return kind === 'node' ? agentVersionsOfNode(object.node_id, heartbeats) : [];
    case 'version':
      return listOf(versionOf(entity, heartbeats, reader.now));
    case 'type':
      return listOf(labelOf(kind, object, `${kind}_type`));
    default:
      return listOf(labelOf(kind, object, property));
  }
}

export interface GroupCount {
  groups: Group[];
  /** The label of these groups, if they are those of a label. */
  label?: string;
  /** The position at which the count ended; undefined at the end of the list. */
  next: Position | undefined;
}

/**
 * Counts the objects that match, and that the caller may see, by the values of one property. Reads the pages of their
 * list, at most 20, and as many heartbeats and objects of another kind. Eventually consistent.
 *
 * @throws ApiError `failedPrecondition` for nodes of a cluster with too many services.
 */
export async function countGroups(
  table: Table,
  query: Omit<GroupQuery, 'after'>,
  { after, ownerLabel, reader }: { after: Position | undefined; ownerLabel: string; reader: ListReader },
): Promise<GroupCount> {
  const { kind } = query;
  const by = groupingOf(kind, query.group_by, ownerLabel);
  if (by === undefined) throw new Error('the contract refuses other properties');
  const isNodesByCluster = kind === 'node' && 'property' in by && by.property === 'cluster';
  const [all, owners] = await Promise.all([
    isNarrow(query) ? undefined : allHeartbeats(table, MAX_KEPT_HEARTBEATS),
    readOwners(table, kind, by, query),
  ]);
  const readPage = await pagesOf(table, query, reader, all);
  const groups = new Groups();
  let position = after;
  let related = owners;
  let ofAll: ClustersOfNodes | undefined;
  const clustersOf = async (nodes: readonly Entity[]) =>
    isNarrow(query) && nodes.length <= MAX_NODES_LOOKED_AT
      ? clustersOfNodes(servicesOn(table, nodes), reader.scope)
      : (ofAll ??= await clustersOfNodes(allPages(table, 'service'), reader.scope));
  for (let pages = 0; pages < PAGES && groups.size < MAX_GROUPS; pages += 1) {
    const { objects, next, heartbeats } = await readPage({ size: PAGE_SIZE, after: position });
    if (!('label' in by) && isRelatedLabel(kind, by.property))
      related = await readRelated(table, objects, [by.property], related);
    const clusters = isNodesByCluster ? await clustersOf(objects) : undefined;
    for (const entity of objects) {
      const values = valuesOf(entity, by, { heartbeats, related, clusters, reader });
      groups.add(values, stateOf(entity, heartbeats, reader.now));
    }
    position = next;
    if (next === undefined) break;
  }
  return { groups: groups.result(), ...('label' in by ? { label: by.label } : {}), next: position };
}
