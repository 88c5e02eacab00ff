import type { Table } from '../../../shared/db/table.ts';
import { fitting } from '../../../shared/http/reply-size.ts';
import { labelOf } from '../../domain/fields/filterable-labels.ts';
import type { State } from '../../domain/fields/liveness.ts';
import type { Cluster } from '../../domain/service/cluster.ts';
import type { Service } from '../entities/entity.ts';
import { readAllHeartbeats, stateOf } from '../heartbeats/heartbeat.ts';
import type { Page, PageOptions } from '../table/page.ts';
import { byBytes } from './merge-references.ts';
import { allPages } from './pages.ts';

interface Member {
  service: Service;
  state: State;
}

function countBy<Word extends string>(words: readonly Word[]): Partial<Record<Word, number>> {
  const counts: Partial<Record<Word, number>> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

function toCluster(cluster: string, members: readonly Member[]): Cluster {
  const services = members.map(({ service }) => service);
  const environments = new Set(services.flatMap((service) => labelOf('service', service, 'environment') ?? []));
  return {
    cluster,
    services: services.length,
    nodes: new Set(services.flatMap(({ node_ids: ids }) => ids)).size,
    services_by_type: countBy(services.map(({ service_type: type }) => type)),
    services_by_state: countBy(members.map(({ state }) => state)),
    environments: [...environments].sort(byBytes),
  };
}

/**
 * Counts the services of each cluster, sorted by name. Each page reads the list of all services and the heartbeats of all
 * nodes, because no index contains the names of clusters. Eventually consistent.
 */
export async function listClusters(
  table: Table,
  prefix: string,
  { size, after }: PageOptions,
  now: Date,
): Promise<Page<Cluster>> {
  const heartbeats = await readAllHeartbeats(table);
  const members = new Map<string, Member[]>();
  for await (const page of allPages(table, 'service'))
    for (const entity of page) {
      if (entity.kind !== 'service') continue;
      const cluster = labelOf('service', entity.object, 'cluster');
      if (cluster === undefined || !cluster.startsWith(prefix)) continue;
      const member = { service: entity.object, state: stateOf(entity, heartbeats, now) };
      members.set(cluster, [...(members.get(cluster) ?? []), member]);
    }
  const names = [...members.keys()].filter((name) => after === undefined || byBytes(name, after[0]) > 0).sort(byBytes);
  const found = names.slice(0, size).map((name) => toCluster(name, members.get(name) ?? []));
  const objects = found.slice(0, fitting(found));
  const last = objects.at(-1)?.cluster;
  return { objects, next: last === undefined || objects.length === names.length ? undefined : [last, ''] };
}
