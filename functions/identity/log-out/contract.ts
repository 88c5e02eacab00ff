import type { Facade } from '../../contract/endpoint.ts';

/** Identity providers send log-out tokens to this path. */
export const BACK_CHANNEL_LOGOUT_PATH = '/v1/back-channel-logout';

export const facade: Facade = {
  id: 'endProviderSession',
  folder: 'identity/log-out',
  summary: 'OpenID Connect back-channel log-out: an identity provider ends sessions',
  role: 'none',
  logsIn: true,
  access: 'write',
  partitions: 'provider_log_outs',
  accessEvents: ['session.removed', 'user.sessions_ended'],
  method: 'POST',
  paths: [BACK_CHANNEL_LOGOUT_PATH],
};
