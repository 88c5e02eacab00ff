import { DEVICE_PAGE } from '../device/device-route.ts';
import type { Route } from '../ui/route.tsx';

/** The routes of the pages; `:` stands for any segment. The first match counts. */
const pages = {
  OverviewPage: ['', 'overview'],
  NodesPage: ['nodes'],
  ServicesPage: ['services'],
  AgentsPage: ['agents'],
  FormPage: ['nodes/add', 'services/add', 'agents/add', 'nodes/:/change', 'services/:/change', 'agents/:/change'],
  NodePage: ['nodes/:'],
  ServicePage: ['services/:'],
  AgentPage: ['agents/:'],
  ClustersPage: ['clusters'],
  ClusterPage: ['clusters/:'],
  SilencesPage: ['silences'],
  ReconcilePage: ['reconcile'],
  RemovedPage: ['removed'],
  SearchPage: ['search'],
  AuditPage: ['configuration/audit'],
  ComparePage: ['configuration/audit/compare'],
  ApiKeysPage: ['configuration/api-keys'],
  EnrolmentTokensPage: ['configuration/enrolment-tokens'],
  UsersPage: ['configuration/users'],
  UserPage: ['configuration/users/:'],
  RoleBindingsPage: ['configuration/role-bindings'],
  DevicePage: [DEVICE_PAGE],
  AccountPage: ['account'],
  SessionsPage: ['configuration/sessions'],
  QuickStartPage: ['quick-start'],
  NotFoundPage: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type PageName = keyof typeof pages;

const names = Object.keys(pages).filter((name): name is PageName => Object.hasOwn(pages, name));

function fits(pattern: string, segments: readonly string[]): boolean {
  const parts = pattern === '' ? [] : pattern.split('/');
  return parts.length === segments.length && parts.every((part, index) => part === ':' || part === segments[index]);
}

/** The page of a route, and the link of the menu that it belongs to. */
export function pageOf({ segments }: Route): { page: PageName; menu: string } {
  const page = names.find((name) => pages[name].some((route) => fits(route, segments))) ?? 'NotFoundPage';
  const menu = segments[0] === 'configuration' ? segments.slice(0, 2).join('/') : (segments[0] ?? 'overview');
  return { page, menu: `#/${menu}` };
}
