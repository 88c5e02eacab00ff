import { endpoint as listClusters } from '../../functions/api/clusters/list/endpoint.ts';
import { allPages } from '../api/all-pages.ts';
import { call, type ReplyOf } from '../api/client.tsx';
import { worstOf } from './health.ts';

export type Cluster = ReplyOf<typeof listClusters>['clusters'][number];

/** Number of clusters that one request reads. */
export const CLUSTERS_PER_REQUEST = 1000;

/** All clusters, by name. */
export const loadClusters = (signal: AbortSignal) =>
  allPages(async (token) => {
    const query = { page_size: CLUSTERS_PER_REQUEST, page_token: token };
    const { clusters: items, next_page_token: next } = await call(listClusters, { query }, { signal });
    return { items, next };
  });

export type ClusterQuery = Readonly<Record<string, string>>;

/** Whether the cluster fits the address: `state` is that of its worst service, `type` one of their types. */
export function fits(
  { services_by_state: counts, services_by_type: types }: Cluster,
  { state, type }: ClusterQuery,
): boolean {
  return (state === undefined || worstOf(counts) === state) && (type === undefined || Object.hasOwn(types, type));
}
