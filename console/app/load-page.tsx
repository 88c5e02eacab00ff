import type { ComponentType } from 'react';
import type { PageName } from './page-of-route.tsx';

// Each import is a script with its own styles, loaded when a page first needs it.
const inventoryPages = () => import('./chunks/inventory-pages.tsx');
const objectPages = () => import('../objects/page/object-pages.tsx');
const configurationPages = () => import('./chunks/configuration-pages.tsx');

const pages: Record<PageName, () => Promise<ComponentType>> = {
  OverviewPage: async () => (await import('../overview/overview-page.tsx')).OverviewPage,
  NodesPage: async () => (await inventoryPages()).NodesPage,
  ServicesPage: async () => (await inventoryPages()).ServicesPage,
  AgentsPage: async () => (await inventoryPages()).AgentsPage,
  ClustersPage: async () => (await import('../clusters/clusters-page.tsx')).ClustersPage,
  ClusterPage: async () => (await import('../clusters/cluster-page.tsx')).ClusterPage,
  NotFoundPage: async () => (await inventoryPages()).NotFoundPage,
  NodePage: async () => (await objectPages()).NodePage,
  ServicePage: async () => (await objectPages()).ServicePage,
  AgentPage: async () => (await objectPages()).AgentPage,
  ApiKeysPage: async () => (await configurationPages()).ApiKeysPage,
  EnrolmentTokensPage: async () => (await configurationPages()).EnrolmentTokensPage,
  UsersPage: async () => (await configurationPages()).UsersPage,
  UserPage: async () => (await configurationPages()).UserPage,
  RoleBindingsPage: async () => (await configurationPages()).RoleBindingsPage,
  DevicePage: async () => (await configurationPages()).DevicePage,
  AccountPage: async () => (await configurationPages()).AccountPage,
  SessionsPage: async () => (await configurationPages()).SessionsPage,
  FormPage: async () => (await import('../objects/form/form-page.tsx')).FormPage,
  ReconcilePage: async () => (await import('../reconcile/reconcile-page.tsx')).ReconcilePage,
  RemovedPage: async () => (await import('../removed/removed-page.tsx')).RemovedPage,
  SilencesPage: async () => (await import('../silences/silences-page.tsx')).SilencesPage,
  SearchPage: async () => (await import('../search/search-page.tsx')).SearchPage,
  QuickStartPage: async () => (await import('../quick-start/quick-start-page.tsx')).QuickStartPage,
  AuditPage: async () => (await import('../audit/audit-page.tsx')).AuditPage,
  ComparePage: async () => (await import('../audit/compare-page.tsx')).ComparePage,
};

type Load = () => Promise<{ default: ComponentType }>;

const loaders = new Map<PageName, Load>();

/** Loads the script of a page: one function for each page. */
export function pageLoader(page: PageName): Load {
  const load = loaders.get(page) ?? (async () => ({ default: await pages[page]() }));
  loaders.set(page, load);
  return load;
}
