import type { Route } from '../ui/route.tsx';

export type PageName =
  | 'OverviewPage'
  | 'NodesPage'
  | 'ServicesPage'
  | 'AgentsPage'
  | 'NodePage'
  | 'ServicePage'
  | 'AgentPage'
  | 'FormPage'
  | 'ClustersPage'
  | 'ClusterPage'
  | 'ReconcilePage'
  | 'RemovedPage'
  | 'ApiKeysPage'
  | 'AuditPage'
  | 'EnrolmentTokensPage'
  | 'SearchPage'
  | 'SessionsPage'
  | 'QuickStartPage'
  | 'NotFoundPage';

/** The pages of the routes; `:` stands for any segment. The first match counts. */
const routes: readonly (readonly [pattern: string, page: PageName])[] = [
  ['', 'OverviewPage'],
  ['overview', 'OverviewPage'],
  ['nodes', 'NodesPage'],
  ['services', 'ServicesPage'],
  ['agents', 'AgentsPage'],
  ['nodes/add', 'FormPage'],
  ['services/add', 'FormPage'],
  ['agents/add', 'FormPage'],
  ['nodes/:/change', 'FormPage'],
  ['services/:/change', 'FormPage'],
  ['agents/:/change', 'FormPage'],
  ['nodes/:', 'NodePage'],
  ['services/:', 'ServicePage'],
  ['agents/:', 'AgentPage'],
  ['clusters', 'ClustersPage'],
  ['clusters/:', 'ClusterPage'],
  ['reconcile', 'ReconcilePage'],
  ['removed', 'RemovedPage'],
  ['search', 'SearchPage'],
  ['configuration/audit', 'AuditPage'],
  ['configuration/api-keys', 'ApiKeysPage'],
  ['configuration/enrolment-tokens', 'EnrolmentTokensPage'],
  ['configuration/sessions', 'SessionsPage'],
  ['quick-start', 'QuickStartPage'],
];

function fits(pattern: string, segments: readonly string[]): boolean {
  const parts = pattern === '' ? [] : pattern.split('/');
  return parts.length === segments.length && parts.every((part, index) => part === ':' || part === segments[index]);
}

/** The page of a route, and the link of the menu that it belongs to. */
export function pageOf({ segments }: Route): { page: PageName; menu: string } {
  const [, page = 'NotFoundPage'] = routes.find(([pattern]) => fits(pattern, segments)) ?? [];
  const menu = segments[0] === 'configuration' ? segments.slice(0, 2).join('/') : (segments[0] ?? 'overview');
  return { page, menu: `#/${menu}` };
}
