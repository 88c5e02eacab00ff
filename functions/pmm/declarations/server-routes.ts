import { GRAFANA_PATH } from './key-routes.ts';
import { access, call, type CallDeclaration, routesOf } from './route.ts';

const { open, readsOwn, administers } = access;

/** Parts of PMM that are no inventory: every call below these paths is answered with 501. */
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
] as const;

const calls: readonly CallDeclaration[] = [
  call('getPmmVersion', 'Get the version', readsOwn, {
    ...{ 3: 'GET /v1/server/version', 2: 'GET /managed/v1/version' },
    differs: 'The version is that of the API of PMM; `full_version` contains that of this service.',
  }),
  call('getSettings', 'Get the settings', administers, {
    3: 'GET /v1/server/settings',
    differs: 'They are fixed: the defaults of PMM, with everything outside the inventory disabled.',
  }),
  call('getReadOnlySettings', 'Get the settings that everybody may read', readsOwn, {
    3: 'GET /v1/server/settings/readonly',
  }),
  call('unimplemented', 'Change the settings', administers, { 3: 'PUT /v1/server/settings' }),
  call('unimplemented', 'Look for updates', readsOwn, { 3: 'GET /v1/server/updates' }),
  call('unimplemented', 'Start an update', administers, { 3: 'POST /v1/server/updates:start' }),
  call('unimplemented', 'Get the status of an update', readsOwn, { 3: 'POST /v1/server/updates:getStatus' }),
  call('unimplemented', 'Download the logs', administers, { 3: 'GET /v1/server/logs.zip' }),
  ...outsidePaths.map((prefix) =>
    call('unimplemented', `Calls below ${prefix}`, readsOwn, { 3: `ANY ${prefix}/{call+}` }),
  ),
];

/** The calls about the server itself. */
export const serverRoutes = routesOf('server', '', calls);

export const healthRoutes = routesOf('health', '', [
  ...(['/v1/server/readyz', '/v1/server/leaderHealthCheck', '/ping'] as const).map((path) =>
    call('getReadiness', 'Check whether the server is ready', open, { 3: `GET ${path}` }),
  ),
  call('getGrafanaHealth', 'Check whether Grafana is ready', open, {
    ...{ 3: `GET ${GRAFANA_PATH}/health`, differs: 'The version is that of this service.' },
  }),
]);
