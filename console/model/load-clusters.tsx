import { endpoint as listClusters } from '../../functions/api/clusters/list/endpoint.ts';
import { allPages } from '../api/all-pages.ts';
import { call } from '../api/client.tsx';

/** Number of clusters that one request reads. */
export const CLUSTERS_PER_REQUEST = 1000;

/** All clusters, by name. */
export const loadClusters = (signal: AbortSignal) =>
  allPages(async (token) => {
    const query = { page_size: CLUSTERS_PER_REQUEST, page_token: token };
    const { clusters: items, next_page_token: next } = await call(listClusters, { query }, { signal });
    return { items, next };
  });
