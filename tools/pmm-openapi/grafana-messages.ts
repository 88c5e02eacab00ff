import { flag, list, nullableText, object, type Properties, type Schema, text } from './components.ts';
import type { Context, Messages } from './messages.ts';

const integer: Schema = { type: 'integer', format: 'int64' };
const role: Schema = { type: 'string', enum: ['Viewer', 'Editor', 'Admin'] };
const done = object({ message: text });

/** The messages of Grafana's calls on keys and on service accounts. */
export function grafanaMessages({ components: { define } }: Context): Messages {
  const life: Properties = { name: text, secondsToLive: integer };
  const key = define('GrafanaNewKey', object({ id: integer, name: text, key: text }));
  const account = define(
    'GrafanaServiceAccount',
    object({
      ...{ id: integer, uid: text, name: text, login: text, orgId: integer, isDisabled: flag, role },
      ...{ createdAt: text, updatedAt: text, avatarUrl: text, teams: list(text), tokens: integer },
    }),
  );
  const token = object({
    ...{ id: integer, name: text, created: text, lastUsedAt: nullableText, expiration: nullableText },
    ...{ secondsUntilExpiration: integer, hasExpired: flag, isRevoked: flag },
  });
  return {
    listGrafanaKeys: () => ({
      fields: { includeExpired: flag },
      reply: list(object({ id: integer, name: text, role: text, expiration: text })),
    }),
    addGrafanaKey: () => ({ fields: { ...life, role }, reply: key }),
    removeGrafanaKey: () => ({ reply: done }),
    addServiceAccount: () => ({ fields: { name: text, role, isDisabled: flag }, reply: account }),
    listServiceAccounts: () => ({
      fields: { query: text, page: integer, perpage: integer, disabled: flag, expiredTokens: flag },
      reply: object({ totalCount: integer, serviceAccounts: list(account), page: integer, perPage: integer }),
    }),
    getServiceAccount: () => ({ reply: account }),
    changeServiceAccount: () => ({
      fields: { name: text, role, isDisabled: flag },
      reply: object({ id: integer, name: text, message: text, serviceaccount: account }),
    }),
    removeServiceAccount: () => ({ reply: done }),
    listServiceAccountTokens: () => ({ reply: list(token) }),
    addServiceAccountToken: () => ({ fields: life, reply: key }),
    removeServiceAccountToken: () => ({ reply: done }),
  };
}
