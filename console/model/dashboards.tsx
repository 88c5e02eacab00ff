import { useEffect, useState } from 'react';
import { endpoint as getVersion } from '../../functions/api/server/get-version/endpoint.ts';
import { type DashboardLinks, dashboardUrl } from '../../functions/domain/fields/dashboard-links.ts';
import { ApiFailure, call } from '../api/client.tsx';
import type { InventoryObject } from './kinds.tsx';

export interface Dashboard {
  name: string;
  url: string;
}

/** The setting of the server: it does not change while the server runs, so it is read once. */
let templates: Promise<DashboardLinks> | undefined;

function loadTemplates(): Promise<DashboardLinks> {
  templates ??= call(getVersion, {}).then(
    ({ dashboards = {} }) => dashboards,
    (error: unknown) => {
      templates = undefined;
      // The page is complete without them. Its own requests report that the server cannot be reached.
      if (error instanceof ApiFailure) return {};
      throw error;
    },
  );
  return templates;
}

/** The dashboards of an object, or of a cluster by its field `cluster`; none while they are loaded. */
export function useDashboards(object: InventoryObject | { cluster: string }): readonly Dashboard[] {
  const [known, setKnown] = useState<DashboardLinks>({});
  useEffect(() => {
    let isShown = true;
    void loadTemplates().then((found) => {
      if (isShown) setKnown(found);
    });
    return () => {
      isShown = false;
    };
  }, []);
  return Object.entries(known).flatMap(([name, template]) => {
    const url = dashboardUrl(template, Object.fromEntries(Object.entries(object)));
    return url === undefined ? [] : [{ name, url }];
  });
}
