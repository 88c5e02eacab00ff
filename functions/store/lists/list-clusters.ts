import type { Table } from '../../../shared/db/table.ts';
import { fitting } from '../../../shared/core/reply-size.ts';
import { labelOf } from '../../domain/fields/filterable-labels.ts';
import { type Cluster, MAX_SHOWN_VALUES } from '../../domain/service/cluster.ts';
import { type Entity, type EntityOf, idOf } from '../entities/entity.ts';
import { findObjects } from '../entities/get.ts';
import { withOnly } from '../entities/with-labels.ts';
import { type Heartbeats, readHeartbeats } from '../heartbeats/heartbeat.ts';
import { stateOf, versionOf } from '../heartbeats/shown-state.ts';
import type { Page, PageOptions } from '../table/page.ts';
import { byBytes } from './merge-references.ts';
import { allPages, listedById } from './pages.ts';

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
    const found = nodeIds.flatMap((id) => nodes?.get(id) ?? []);
    return different(found.map(({ kind, object }) => labelOf(kind, object, name)));
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

type Members = Map<string, EntityOf<'service'>[]>;

/** The services of the first `most` clusters by name after a name; `more`: whether clusters follow. */
async function membersOf(
  table: Table,
  { prefix, after, most, ownerLabel }: { prefix: string; after: string | undefined; most: number; ownerLabel: string },
): Promise<{ names: string[]; members: Members; more: boolean }> {
  const members: Members = new Map();
  let more = false;
  for await (const page of allPages(table, 'service')) {
    for (const entity of page) {
      if (entity.kind !== 'service') continue;
      const cluster = labelOf('service', entity.object, 'cluster');
      if (cluster?.startsWith(prefix) !== true || (after !== undefined && byBytes(cluster, after) <= 0)) continue;
      const known = members.get(cluster);
      const member = withOnly(entity, [ownerLabel]);
      if (known === undefined) members.set(cluster, [member]);
      else known.push(member);
    }
    // Not in memory until the end: only the first ones are counted.
    const rest = [...members.keys()].sort(byBytes).slice(most);
    for (const name of rest) members.delete(name);
    more ||= rest.length > 0;
  }
  return { names: [...members.keys()].sort(byBytes), members, more };
}

/**
 * Counts the services of each cluster, sorted by name. Each page reads the list of all services, because no index
 * contains the names of clusters, and the heartbeats of the nodes of its own clusters; with regions these nodes, too.
 * Eventually consistent.
 */
export async function listClusters(
  table: Table,
  prefix: string,
  { size, after }: PageOptions,
  details: Details,
): Promise<Page<Cluster>> {
  const { names, members, more } = await membersOf(table, {
    ...{ prefix, after: after?.[0], most: size, ownerLabel: details.ownerLabel },
  });
  const services = [...members.values()].flat();
  // The nodes of all services are read as a list, which costs less than one by one.
  const isWhole = prefix === '' && after === undefined && !more;
  const nodeIds = services.flatMap(({ object }) => object.node_ids);
  const nodesById = async () => {
    const wanted = Array.from(new Set(nodeIds), (id) => ({ kind: 'node' as const, id }));
    const found = await findObjects(table, wanted, false, (entity) => withOnly(entity, []));
    return new Map(found.map((entity) => [idOf(entity), entity]));
  };
  const readNodes = () => (isWhole ? listedById(table, 'node') : nodesById());
  const [heartbeats, nodes] = await Promise.all([
    readHeartbeats(table, services, false),
    details.withRegions ? readNodes() : undefined,
  ]);
  const found = names.map((name) => toCluster(name, members.get(name) ?? [], { ...details, heartbeats, nodes }));
  const objects = found.slice(0, fitting(found));
  const last = objects.at(-1)?.cluster;
  return { objects, next: last !== undefined && (more || objects.length < names.length) ? [last, ''] : undefined };
}
