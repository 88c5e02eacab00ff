import { access, call, type CallDeclaration, routesOf } from './route.ts';

const { administers } = access;

/** Where PMM serves the API of its Grafana. */
export const GRAFANA_PATH = '/graph/api';

const ROLES = 'The role is Viewer, Editor or Admin. The role None does not exist.';
const SHOWN_ONCE = 'The key is an API key of this service.';

/** PMM 2: programs make a key with one call. PMM 3: programs add an account, and a token of it, which is a key. */
const calls: readonly CallDeclaration[] = [
  call('listGrafanaKeys', 'List API keys', administers, {
    2: 'GET auth/keys',
    differs:
      'Keys of hosts and of service accounts are left out. A key with the role Relay or Gateway has the role None.',
  }),
  call('addGrafanaKey', 'Add an API key', administers, { 2: 'POST auth/keys', differs: `${SHOWN_ONCE} ${ROLES}` }),
  call('removeGrafanaKey', 'Remove an API key', administers, {
    ...{ 2: 'DELETE auth/keys/{id}', differs: 'The last permanent Admin credential cannot be removed.' },
  }),
  call('addServiceAccount', 'Add a service account', administers, {
    ...{ 3: 'POST serviceaccounts', status: 201, differs: `It groups keys of one role. ${ROLES}` },
  }),
  call('listServiceAccounts', 'Search service accounts', administers, { 3: 'GET serviceaccounts/search' }),
  call('getServiceAccount', 'Get a service account', administers, { 3: 'GET serviceaccounts/{id}' }),
  call('changeServiceAccount', 'Change a service account', administers, {
    3: 'PATCH serviceaccounts/{id}',
    differs: 'A name and a role cannot be changed, and an account cannot be disabled: 400.',
  }),
  call('removeServiceAccount', 'Remove a service account and its tokens', administers, {
    3: 'DELETE serviceaccounts/{id}',
  }),
  call('listServiceAccountTokens', 'List the tokens of a service account', administers, {
    3: 'GET serviceaccounts/{id}/tokens',
  }),
  call('addServiceAccountToken', 'Add a token to a service account', administers, {
    ...{ 3: 'POST serviceaccounts/{id}/tokens', differs: `${SHOWN_ONCE} It has the role of the account.` },
  }),
  call('removeServiceAccountToken', 'Remove a token', administers, {
    3: 'DELETE serviceaccounts/{id}/tokens/{token_id}',
  }),
];

/** The calls of Grafana by which programs make keys. */
export const keyRoutes = routesOf('keys', `${GRAFANA_PATH}/`, calls);
