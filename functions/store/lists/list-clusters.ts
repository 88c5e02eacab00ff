import type { Table } from '../../../shared/db/table.ts';
import { fitting } from '../../../shared/core/reply-size.ts';
import { labelOf } from '../../domain/fields/filterable-labels.ts';
import type { State } from '../../domain/fields/liveness.ts';
import type { Cluster } from '../../domain/service/cluster.ts';
import type { EntityOf } from '../entities/entity.ts';
import { readHeartbeats, stateOf } from '../heartbeats/heartbeat.ts';
import type { Page, PageOptions } from '../table/page.ts';
import { byBytes } from './merge-references.ts';
import { allPages } from './pages.ts';

function countBy<Word extends string>(words: readonly Word[]): Partial<Record<Word, number>> {
  const counts: Partial<Record<Word, number>> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

function toCluster(cluster: string, members: readonly EntityOf<'service'>[], states: readonly State[]): Cluster {
  const services = members.map(({ object }) => object);
  const environments = new Set(services.flatMap((service) => labelOf('service', service, 'environment') ?? []));
  return {
    cluster,
    services: services.length,
    nodes: new Set(services.flatMap(({ node_ids: ids }) => ids)).size,
    services_by_type: countBy(services.map(({ service_type: type }) => type)),
    services_by_state: countBy(states),
    environments: [...environments].sort(byBytes),
  };
}

type Members = Map<string, EntityOf<'service'>[]>;

/** The services of the first `most` clusters by name after a name; `more`: whether clusters follow. */
async function membersOf(
  table: Table,
  { prefix, after, most }: { prefix: string; after: string | undefined; most: number },
): Promise<{ names: string[]; members: Members; more: boolean }> {
  const members: Members = new Map();
  let more = false;
  for await (const page of allPages(table, 'service')) {
    for (const entity of page) {
      if (entity.kind !== 'service') continue;
      const cluster = labelOf('service', entity.object, 'cluster');
      if (cluster?.startsWith(prefix) !== true || (after !== undefined && byBytes(cluster, after) <= 0)) continue;
      const known = members.get(cluster);
      if (known === undefined) members.set(cluster, [entity]);
      else known.push(entity);
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
 * contains the names of clusters, and the heartbeats of the nodes of its own clusters. Eventually consistent.
 */
export async function listClusters(
  table: Table,
  prefix: string,
  { size, after }: PageOptions,
  now: Date,
): Promise<Page<Cluster>> {
  const { names, members, more } = await membersOf(table, { prefix, after: after?.[0], most: size });
  const heartbeats = await readHeartbeats(table, [...members.values()].flat(), false);
  const found = names.map((name) => {
    const services = members.get(name) ?? [];
    return toCluster(
      name,
      services,
      services.map((entity) => stateOf(entity, heartbeats, now)),
    );
  });
  const objects = found.slice(0, fitting(found));
  const last = objects.at(-1)?.cluster;
  return { objects, next: last !== undefined && (more || objects.length < names.length) ? [last, ''] : undefined };
}
