import type { Item, Table } from '../../../shared/db/table.ts';
import { fitting } from '../../../shared/core/reply-size.ts';
import { labelOf } from '../../domain/fields/filterable-labels.ts';
import { type Cluster, MAX_SHOWN_VALUES } from '../../domain/service/cluster.ts';
import { type Entity, type EntityOf, idOf } from '../entities/entity.ts';
import { withOnly } from '../entities/with-labels.ts';
import { type Heartbeats, readHeartbeats } from '../heartbeats/heartbeat.ts';
import { stateOf, versionOf } from '../heartbeats/shown-state.ts';
import type { Page, PageOptions } from '../table/page.ts';
import { byBytes } from './merge-references.ts';
import { areIndexesBuilt } from '../table/built-indexes.ts';
import { afterCluster, clusterIn, CLUSTERS_PARTITION, indexes, tableKey } from '../table/keys.ts';
import { queryUpTo } from '../table/read.ts';
import { allPages } from './pages.ts';
import { objectsByListOrId } from './read-many.ts';

function countBy<Word extends string>(words: readonly Word[]): Partial<Record<Word, number>> {
  const counts: Partial<Record<Word, number>> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

/** The different ones of these values, sorted; the first ones of very many. */
const different = (values: readonly (string | undefined)[]): string[] =>
  [...new Set(values.filter((value) => value !== undefined))].sort(byBytes).slice(0, MAX_SHOWN_VALUES);

interface Details {
  ownerLabel: string;
  /** Shows the regions and zones of the nodes. */
  withRegions: boolean;
  now: Date;
}

interface Facts extends Details {
  heartbeats: Heartbeats;
  /** By id; undefined if regions are not shown. */
  nodes: ReadonlyMap<string, Entity> | undefined;
}

function toCluster(cluster: string, members: readonly EntityOf<'service'>[], facts: Facts): Cluster {
  const { heartbeats, nodes, ownerLabel, now } = facts;
  const services = members.map(({ object }) => object);
  const nodeIds = [...new Set(services.flatMap(({ node_ids: ids }) => ids))];
  const ofServices = (name: string) => different(services.map((service) => labelOf('service', service, name)));
  const ofNodes = (name: string) => {
    const visibleNodes = nodeIds.flatMap((id) => nodes?.get(id) ?? []);
    return different(visibleNodes.map(({ kind, object }) => labelOf(kind, object, name)));
  };
  return {
    cluster,
    services: services.length,
    nodes: nodeIds.length,
    services_by_type: countBy(services.map(({ service_type: type }) => type)),
    services_by_state: countBy(members.map((entity) => stateOf(entity, heartbeats, now))),
    environments: ofServices('environment'),
    versions: different(members.map((entity) => versionOf(entity, heartbeats, now))),
    owners: ofServices(ownerLabel),
    ...(nodes === undefined ? {} : { regions: ofNodes('region'), azs: ofNodes('az') }),
  };
}

const EVENTUALLY = { byList: true, isConsistent: false };

type Members = Map<string, EntityOf<'service'>[]>;

interface ClusterRange {
  prefix: string;
  after: string | undefined;
  most: number;
  ownerLabel: string;
}

/** The services of some clusters by name; `more`: whether clusters follow. */
interface ClusterMembers {
  names: string[];
  members: Members;
  more: boolean;
}

/** The services of the first `most` clusters by name after a name, from the list of all services. */
async function membersInServices(
  table: Table,
  { prefix, after, most, ownerLabel }: ClusterRange,
): Promise<ClusterMembers> {
  const members: Members = new Map();
  let more = false;
  for await (const page of allPages(table, 'service')) {
    for (const entity of page) {
      if (entity.kind !== 'service') continue;
      const cluster = labelOf('service', entity.object, 'cluster');
      if (cluster?.startsWith(prefix) !== true || (after !== undefined && byBytes(cluster, after) <= 0)) continue;
      addTo(members, cluster, withOnly(entity, [ownerLabel]));
    }
    // Not in memory until the end: only the first ones are counted.
    const rest = [...members.keys()].sort(byBytes).slice(most);
    for (const name of rest) members.delete(name);
    more ||= rest.length > 0;
  }
  return { names: [...members.keys()].sort(byBytes), members, more };
}

function addTo(members: Members, cluster: string, member: EntityOf<'service'>): void {
  const others = members.get(cluster);
  if (others === undefined) members.set(cluster, [member]);
  else others.push(member);
}

/** Entries that a query reads for a cluster of the page. */
const ENTRIES_OF_A_CLUSTER = 10;

/** The ids of the services of the first `most` clusters, from the list of clusters. */
async function idsInClusters(
  table: Table,
  { prefix, after, most }: ClusterRange,
): Promise<{ names: ReadonlySet<string>; ids: string[]; more: boolean }> {
  const { partitionKey: list, sortKey } = indexes.byName;
  const ids: string[] = [];
  const names = new Set<string>();
  let start: Item | undefined;
  do {
    const { items, more } = await queryUpTo(table, {
      index: indexes.byName,
      partition: CLUSTERS_PARTITION,
      sort: after === undefined ? prefix : [afterCluster(after)],
      size: (most + 1) * ENTRIES_OF_A_CLUSTER,
      attributes: [...Object.values(tableKey), list, sortKey, 'object_id'],
      ExclusiveStartKey: start,
    });
    for (const item of items) {
      const cluster = clusterIn(String(item[sortKey]));
      if (!cluster.startsWith(prefix)) return { names, ids, more: false };
      if (!names.has(cluster) && names.size === most) return { names, ids, more: true };
      names.add(cluster);
      ids.push(String(item['object_id']));
    }
    const last = more ? items.at(-1) : undefined;
    start = last && Object.fromEntries([...Object.values(tableKey), list, sortKey].map((name) => [name, last[name]]));
  } while (start !== undefined);
  return { names, ids, more: false };
}

/** The same services, from the list of clusters. */
async function membersInClusters(table: Table, range: ClusterRange): Promise<ClusterMembers> {
  const { names, ids, more } = await idsInClusters(table, range);
  const members: Members = new Map();
  for await (const part of objectsByListOrId(table, 'service', ids, EVENTUALLY))
    for (const entity of part) {
      const cluster = labelOf(entity.kind, entity.object, 'cluster');
      // It may have left its cluster since.
      if (entity.kind === 'service' && cluster !== undefined && names.has(cluster))
        addTo(members, cluster, withOnly(entity, [range.ownerLabel]));
    }
  return { names: [...names], members, more };
}

/**
 * Counts the services of each cluster, sorted by name. A page reads the services of its clusters and the heartbeats of their nodes;
 * with regions these nodes, too. While the list of clusters is being built, it reads the list of all services. Eventually
 * consistent.
 */
export async function listClusters(
  table: Table,
  prefix: string,
  { size, after }: PageOptions,
  details: Details,
): Promise<Page<Cluster>> {
  const range = { prefix, after: after?.[0], most: size, ownerLabel: details.ownerLabel };
  const isBuilt = await areIndexesBuilt(table);
  const { names, members, more } = await (isBuilt ? membersInClusters : membersInServices)(table, range);
  const services = [...members.values()].flat();
  const readNodes = async () => {
    const byId = new Map<string, Entity>();
    const ids = services.flatMap(({ object }) => object.node_ids);
    for await (const part of objectsByListOrId(table, 'node', ids, EVENTUALLY))
      for (const entity of part) byId.set(idOf(entity), withOnly(entity, []));
    return byId;
  };
  const [heartbeats, nodes] = await Promise.all([
    readHeartbeats(table, services, false),
    details.withRegions ? readNodes() : undefined,
  ]);
  // Services of the last cluster may all have been removed since.
  const shown = names.filter((name) => members.has(name));
  const clusters = shown.map((name) => toCluster(name, members.get(name) ?? [], { ...details, heartbeats, nodes }));
  const objects = clusters.slice(0, fitting(clusters));
  const isCut = objects.length < clusters.length;
  const last = isCut ? objects.at(-1)?.cluster : more ? names.at(-1) : undefined;
  return { objects, next: last === undefined ? undefined : [last, ''] };
}
