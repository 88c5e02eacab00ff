import type { ComponentType } from 'react';
import type { PageName } from './page-of-route.tsx';

// What is loaded when it is first needed: a script with its own styles.
const inventoryPages = () => import('./chunks/inventory-pages.tsx');
const objectPages = () => import('./chunks/object-pages.tsx');
const configurationPages = () => import('./chunks/configuration-pages.tsx');

const pages: Record<PageName, () => Promise<ComponentType>> = {
  OverviewPage: async () => (await import('../overview/overview-page.tsx')).OverviewPage,
  NodesPage: async () => (await inventoryPages()).NodesPage,
  ServicesPage: async () => (await inventoryPages()).ServicesPage,
  AgentsPage: async () => (await inventoryPages()).AgentsPage,
  ClustersPage: async () => (await inventoryPages()).ClustersPage,
  ClusterPage: async () => (await inventoryPages()).ClusterPage,
  NotFoundPage: async () => (await inventoryPages()).NotFoundPage,
  NodePage: async () => (await objectPages()).NodePage,
  ServicePage: async () => (await objectPages()).ServicePage,
  AgentPage: async () => (await objectPages()).AgentPage,
  ApiKeysPage: async () => (await configurationPages()).ApiKeysPage,
  EnrolmentTokensPage: async () => (await configurationPages()).EnrolmentTokensPage,
  SessionsPage: async () => (await configurationPages()).SessionsPage,
  FormPage: async () => (await import('../objects/form/form-page.tsx')).FormPage,
  ReconcilePage: async () => (await import('../reconcile/reconcile-page.tsx')).ReconcilePage,
  RemovedPage: async () => (await import('../removed/removed-page.tsx')).RemovedPage,
  SearchPage: async () => (await import('../search/search-page.tsx')).SearchPage,
  QuickStartPage: async () => (await import('../quick-start/quick-start-page.tsx')).QuickStartPage,
  AuditPage: async () => (await import('../audit/audit-page.tsx')).AuditPage,
};

export async function loadPage(page: PageName): Promise<{ default: ComponentType }> {
  return { default: await pages[page]() };
}

/**
 * Fetches, without running or showing anything of it, what the page after the log-in needs (see build.ts). Only a hint: where
 * nothing is cached (a certificate that the browser does not trust) the style sheets come again.
 */
export function fetchConsole(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[data-first-page]'))
    link.rel = link.as === 'style' ? 'prefetch' : 'modulepreload';
}
