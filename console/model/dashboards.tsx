import { queryOptions, useQuery } from '@tanstack/react-query';
import { endpoint as getVersion } from '../../functions/api/server/get-version/endpoint.ts';
import { type DashboardLinks, dashboardUrl } from '../../functions/domain/fields/dashboard-links.ts';
import { call } from '../api/client.tsx';
import type { InventoryObject } from './kinds.tsx';

export interface Dashboard {
  name: string;
  url: string;
}

const query = queryOptions({
  queryKey: ['once', 'dashboards'],
  queryFn: async (): Promise<DashboardLinks> => (await call(getVersion, {})).dashboards ?? {},
  // A setting of the server: it does not change while the server runs.
  staleTime: Infinity,
  gcTime: Infinity,
  refetchOnMount: true,
});

/**
 * The dashboards of an object, or of a cluster by its field `cluster`. None while they are loaded, and after a failure.
 */
export function useDashboards(object: InventoryObject | { cluster: string }): readonly Dashboard[] {
  const { data: templates = {} } = useQuery(query);
  return Object.entries(templates).flatMap(([name, template]) => {
    const url = dashboardUrl(template, Object.fromEntries(Object.entries(object)));
    return url === undefined ? [] : [{ name, url }];
  });
}
