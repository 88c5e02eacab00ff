import type { Cluster } from '../../functions/domain/service/cluster.ts';
import { NO_VALUE } from '../search-index/no-value.ts';
import { byLiveShare, type StateCounts, sumsOf, worstOf } from './health.ts';

export type ClusterQuery = Readonly<Record<string, string>>;

/** Which services of a cluster are live. */
export const liveShares = ['none', 'some', 'all'] as const;

export type LiveShare = (typeof liveShares)[number];

function liveShareOf({ services, services_by_state: { live = 0 } }: Cluster): LiveShare {
  if (live === 0) return 'none';
  return live === services ? 'all' : 'some';
}

/** The properties by which clusters are grouped, with their values; none: the cluster has none. */
const properties = {
  live_members: (cluster: Cluster) => [liveShareOf(cluster)],
  state: ({ services_by_state: counts }: Cluster) => [worstOf(counts) ?? 'live'],
  type: ({ services_by_type: types }: Cluster) => Object.keys(types),
  region: ({ regions = [] }: Cluster) => regions,
  az: ({ azs = [] }: Cluster) => azs,
  environment: ({ environments }: Cluster) => environments,
  version: ({ versions }: Cluster) => versions,
  owner: ({ owners }: Cluster) => owners,
};

export type ClusterProperty = keyof typeof properties;

export const clusterProperties: readonly ClusterProperty[] = [
  'live_members',
  'state',
  'type',
  'region',
  'az',
  'environment',
  'version',
  'owner',
];

/** Whether the cluster fits the address: `state` is that of its worst service, the others are one of its values. */
export const fits = (cluster: Cluster, query: ClusterQuery): boolean =>
  clusterProperties.every((property) => {
    const wanted = query[property];
    const values: readonly string[] = properties[property](cluster);
    return wanted === undefined || (wanted === NO_VALUE ? values.length === 0 : values.includes(wanted));
  });

/** The number of clusters with each worst state. */
export const worstCounts = (clusters: readonly Cluster[]): StateCounts =>
  sumsOf(clusters.map(({ services_by_state: counts }) => ({ [worstOf(counts) ?? 'live']: 1 })));

/** The number of services of clusters in each state. */
const serviceCounts = (clusters: readonly Cluster[]): StateCounts =>
  sumsOf(clusters.map(({ services_by_state: counts }) => counts));

/** The number of clusters with a value, and the states of their services. */
export interface ClusterGroup {
  /** `(none)`: those without a value. */
  value: string;
  count: number;
  counts: StateCounts;
}

/** The groups of clusters, those with the smallest share of live services first. A cluster with several values is in several groups. */
export function clusterGroups(clusters: readonly Cluster[], by: ClusterProperty): ClusterGroup[] {
  const members = clusters.flatMap((cluster) => {
    const values: readonly string[] = properties[by](cluster);
    return (values.length === 0 ? [NO_VALUE] : values).map((value) => ({ value, cluster }));
  });
  return [...Map.groupBy(members, ({ value }) => value)]
    .map(([value, groupMembers]) => ({
      value,
      count: groupMembers.length,
      counts: serviceCounts(groupMembers.map(({ cluster }) => cluster)),
    }))
    .sort((left, right) => right.count - left.count || left.value.localeCompare(right.value))
    .sort((left, right) => byLiveShare(left.counts, right.counts));
}
