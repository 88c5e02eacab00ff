import type { Route } from './route.ts';

type Call = Omit<Route, 'generation' | 'facade' | 'role'>;

/** Where PMM serves the API of its Grafana. */
export const GRAFANA_PATH = '/graph/api';

const path = (rest: string) => `${GRAFANA_PATH}/${rest}`;

const ROLES = 'The role is Viewer, Editor or Admin. The role None does not exist.';
const SHOWN_ONCE = 'The key is an API key of this service.';

/** PMM 2: programs make a key with one call. */
const second: readonly Call[] = [
  {
    method: 'GET',
    path: path('auth/keys'),
    operation: 'listGrafanaKeys',
    native: ['listApiKeys'],
    summary: 'List API keys',
    differs: 'Keys of hosts and of service accounts are left out. A key with the role Relay has the role None.',
  },
  {
    method: 'POST',
    path: path('auth/keys'),
    operation: 'addGrafanaKey',
    native: ['addApiKey'],
    summary: 'Add an API key',
    differs: `${SHOWN_ONCE} ${ROLES}`,
  },
  {
    method: 'DELETE',
    path: path('auth/keys/{id}'),
    operation: 'removeGrafanaKey',
    native: ['removeApiKey'],
    summary: 'Remove an API key',
    differs: 'The last permanent Admin credential cannot be removed.',
  },
];

/** PMM 3: programs add an account, and a token of it, which is a key. */
const third: readonly Call[] = [
  {
    method: 'POST',
    path: path('serviceaccounts'),
    status: 201,
    operation: 'addServiceAccount',
    native: [],
    summary: 'Add a service account',
    differs: `It groups keys of one role. ${ROLES}`,
  },
  {
    method: 'GET',
    path: path('serviceaccounts/search'),
    operation: 'listServiceAccounts',
    native: [],
    summary: 'Search service accounts',
  },
  {
    method: 'GET',
    path: path('serviceaccounts/{id}'),
    operation: 'getServiceAccount',
    native: [],
    summary: 'Get a service account',
  },
  {
    method: 'PATCH',
    path: path('serviceaccounts/{id}'),
    operation: 'changeServiceAccount',
    native: [],
    summary: 'Change a service account',
    differs: 'A name and a role cannot be changed, and an account cannot be disabled: 400.',
  },
  {
    method: 'DELETE',
    path: path('serviceaccounts/{id}'),
    operation: 'removeServiceAccount',
    native: ['removeApiKey'],
    summary: 'Remove a service account and its tokens',
  },
  {
    method: 'GET',
    path: path('serviceaccounts/{id}/tokens'),
    operation: 'listServiceAccountTokens',
    native: ['listApiKeys'],
    summary: 'List the tokens of a service account',
  },
  {
    method: 'POST',
    path: path('serviceaccounts/{id}/tokens'),
    operation: 'addServiceAccountToken',
    native: ['addApiKey'],
    summary: 'Add a token to a service account',
    differs: `${SHOWN_ONCE} It has the role of the account.`,
  },
  {
    method: 'DELETE',
    path: path('serviceaccounts/{id}/tokens/{token_id}'),
    operation: 'removeServiceAccountToken',
    native: ['removeApiKey'],
    summary: 'Remove a token',
  },
];

const fixed = { facade: 'keys', role: 'Admin' } as const;

/** The calls of Grafana by which programs make keys. */
export const keyRoutes: readonly Route[] = [
  ...third.map((call) => ({ ...call, ...fixed, generation: 3 }) as const),
  ...second.map((call) => ({ ...call, ...fixed, generation: 2 }) as const),
];
