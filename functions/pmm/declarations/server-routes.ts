import { GRAFANA_PATH } from './key-routes.ts';
import type { Route } from './route.ts';

type Call = Omit<Route, 'generation' | 'facade'>;

const none = { role: 'none' } as const;
const reads = { role: 'Viewer', isScoped: true } as const;

/** Parts of PMM that are no inventory: every call below these paths is refused as not implemented. */
export const outsidePaths = [
  '/v1/accesscontrol',
  '/v1/actions',
  '/v1/advisors',
  '/v1/alerting',
  '/v1/backup',
  '/v1/backups',
  '/v1/dumps',
  '/v1/ha',
  '/v1/platform',
  '/v1/Platform',
  '/v1/qan',
  '/v0/qan',
  '/v1/realtimeanalytics',
  '/v1/Settings',
  '/v1/Updates',
  '/v1/user',
  '/v1/users',
] as const;

const version = {
  operation: 'getPmmVersion',
  native: ['getVersion'],
  ...reads,
  summary: 'Get the version',
  differs: 'The version is that of the API of PMM; `full_version` contains that of this service.',
} as const;

const third: readonly Call[] = [
  { method: 'GET', path: '/v1/server/version', ...version },
  {
    method: 'GET',
    path: '/v1/server/settings',
    operation: 'getSettings',
    native: [],
    role: 'Admin',
    summary: 'Get the settings',
    differs: 'They are fixed: the defaults of PMM, with everything outside the inventory disabled.',
  },
  {
    method: 'GET',
    path: '/v1/server/settings/readonly',
    operation: 'getReadOnlySettings',
    native: [],
    ...reads,
    summary: 'Get the settings that everybody may read',
  },
  {
    method: 'PUT',
    path: '/v1/server/settings',
    operation: 'unimplemented',
    native: [],
    role: 'Admin',
    summary: 'Change the settings',
  },
  {
    method: 'GET',
    path: '/v1/server/updates',
    operation: 'unimplemented',
    native: [],
    ...reads,
    summary: 'Look for updates',
  },
  {
    method: 'POST',
    path: '/v1/server/updates:start',
    operation: 'unimplemented',
    native: [],
    role: 'Admin',
    summary: 'Start an update',
  },
  {
    method: 'POST',
    path: '/v1/server/updates:getStatus',
    operation: 'unimplemented',
    native: [],
    ...reads,
    summary: 'Get the status of an update',
  },
  {
    method: 'GET',
    path: '/v1/server/logs.zip',
    operation: 'unimplemented',
    native: [],
    role: 'Admin',
    summary: 'Download the logs',
  },
  ...outsidePaths.map((prefix): Call => ({
    method: 'ANY',
    path: `${prefix}/{call+}`,
    operation: 'unimplemented',
    native: [],
    ...reads,
    summary: `Calls below ${prefix}`,
  })),
];

const health: readonly Call[] = ['/v1/server/readyz', '/v1/server/leaderHealthCheck', '/ping'].map((path) => ({
  ...{ method: 'GET', path, operation: 'getReadiness', native: ['getReadiness'], ...none },
  summary: 'Check whether the server is ready',
}));

const grafanaHealth: Call = {
  ...{
    method: 'GET',
    path: `${GRAFANA_PATH}/health`,
    operation: 'getGrafanaHealth',
    native: ['getReadiness'],
    ...none,
  },
  summary: 'Check whether Grafana is ready',
  differs: 'The version is that of this service.',
};

const second: readonly Call[] = [{ method: 'GET', path: '/managed/v1/version', ...version }];

/** The calls about the server itself. */
export const serverRoutes: readonly Route[] = [
  ...third.map((call) => ({ ...call, generation: 3, facade: 'server' }) as const),
  ...second.map((call) => ({ ...call, generation: 2, facade: 'server' }) as const),
];

export const healthRoutes: readonly Route[] = [...health, grafanaHealth].map(
  (call) => ({ ...call, generation: 3, facade: 'health' }) as const,
);
