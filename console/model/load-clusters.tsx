import { endpoint as listClusters } from '../../functions/api/clusters/list/endpoint.ts';
import { allPages } from '../api/all-pages.ts';
import { call } from '../api/client.tsx';

/** As many clusters as one request can read, with their regions. */
export const clustersQuery = { page_size: 1000, include: 'region' } as const;

/** All clusters, by name. */
export const loadClusters = (signal: AbortSignal) =>
  allPages(async (token) => {
    const query = { ...clustersQuery, page_token: token };
    const { clusters: items, next_page_token: next } = await call(listClusters, { query }, { signal });
    return { items, next };
  });
