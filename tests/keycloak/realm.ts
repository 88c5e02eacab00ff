/** A realm, as Keycloak imports it. */
export const REALM = 'company';

export const CLIENT = { clientId: 'inventory', secret: 'a-secret-of-the-client' };

/** The password of every person. */
export const PASSWORD = 'a quiet long sentence';

/** People and their groups. */
const people: Readonly<Record<string, readonly string[]>> = {
  maria: ['dba'],
  otto: ['dba'],
  olga: ['ops', 'dba'],
  guest: [],
};

const userOf = ([username, groups]: [string, readonly string[]]) => ({
  ...{ username, groups, enabled: true, emailVerified: true },
  ...{ email: `${username}@example.com`, firstName: username, lastName: 'Example' },
  credentials: [{ type: 'password', value: PASSWORD }],
  realmRoles: [`default-roles-${REALM}`],
});

/** The mapper by which tokens contain the names of the groups of a person: without it no role binding can match. */
const groupsMapper = {
  name: 'groups',
  protocol: 'openid-connect',
  protocolMapper: 'oidc-group-membership-mapper',
  config: { 'claim.name': 'groups', 'full.path': 'false', 'id.token.claim': 'true', 'userinfo.token.claim': 'true' },
};

/** @param backChannelLogoutUrl receives log-out tokens, which name the session. */
export const realmWith = (redirectUri: string, backChannelLogoutUrl: string) => ({
  ...{ realm: REALM, enabled: true, sslRequired: 'none' },
  // Tests move the clock of the service by less than this: it decides when an ID token has expired.
  accessTokenLifespan: 7200,
  groups: [{ name: 'dba' }, { name: 'ops' }],
  users: Object.entries(people).map(userOf),
  clients: [
    {
      ...CLIENT,
      redirectUris: [redirectUri],
      attributes: {
        ...{ 'post.logout.redirect.uris': '+', 'pkce.code.challenge.method': 'S256' },
        ...{ 'backchannel.logout.url': backChannelLogoutUrl, 'backchannel.logout.session.required': 'true' },
      },
      protocolMappers: [groupsMapper],
    },
  ],
});
