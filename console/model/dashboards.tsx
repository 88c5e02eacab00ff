import { dashboardUrl } from '../../functions/domain/fields/dashboard-links.ts';
import type { InventoryObject } from './kinds.tsx';
import { useServerVersion } from './server-version.tsx';

export interface Dashboard {
  name: string;
  url: string;
}

/**
 * The dashboards of an object, or of a cluster by its field `cluster`. None while they are loaded, and after a failure.
 */
export function useDashboards(object: InventoryObject | { cluster: string }): readonly Dashboard[] {
  const { dashboards: templates = {} } = useServerVersion();
  return Object.entries(templates).flatMap(([name, template]) => {
    const url = dashboardUrl(template, Object.fromEntries(Object.entries(object)));
    return url === undefined ? [] : [{ name, url }];
  });
}
