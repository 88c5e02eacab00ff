import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { browserOf } from './browsing.ts';

/** A person at the provider. */
export interface Account {
  preferred_username: string;
  groups?: string[];
  [claim: string]: unknown;
}

/** A real identity provider on loopback, whose people, keys and faults a test controls. */
export interface OidcServer {
  issuer: string;
  clientId: string;
  clientSecret: string;
  accounts: Map<string, Account>;
  /** Who is logged in at the provider, in every browser. */
  person: string;
  /** Requests by path. */
  requests: string[];
  /** Replaces the keys; the old ones are no longer published. */
  rotateKeys: () => void;
  /** How requests are answered instead; `undefined`: as usual. `hang`: never. */
  fault: ((path: string) => { status: number; body: string } | 'hang' | undefined) | undefined;
  /** Follows the redirects of an authorization request as a browser does. @returns the address of the console. */
  authorize: (parameters: Record<string, string>) => Promise<URL>;
  stop: () => Promise<void>;
}

export interface OidcServerOptions {
  redirectUri?: string;
  /** Whether groups are in the ID token; else the UserInfo endpoint has them. */
  groupsInIdToken?: boolean;
  hasRefreshTokens?: boolean;
  clientSecret?: string;
}

function newKeys() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'ES256' }] };
}

export const REDIRECT_URI = 'http://127.0.0.1:8/';

/** The settings of the provider. People need no page: who is logged in at the provider has consented. */
function configurationOf(server: OidcServer, { redirectUri = REDIRECT_URI, ...options }: OidcServerOptions) {
  const { groupsInIdToken: isInToken = true, hasRefreshTokens: hasRefresh = true } = options;
  return {
    jwks: newKeys(),
    clients: [
      {
        client_id: server.clientId,
        client_secret: server.clientSecret,
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    cookies: { keys: ['of a test'] },
    claims: { openid: ['sub'], profile: ['preferred_username', 'groups', '_claim_names'], email: ['email'] },
    conformIdTokenClaims: !isInToken,
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
    rotateRefreshToken: true,
    issueRefreshToken: () => hasRefresh,
    ttl: {
      AccessToken: 300,
      AuthorizationCode: 60,
      Grant: 86_400,
      IdToken: 300,
      Interaction: 300,
      RefreshToken: 86_400,
      Session: 86_400,
    },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, accountId: string) => {
      const account = server.accounts.get(accountId);
      return account && { accountId, claims: () => ({ sub: accountId, ...account }) };
    },
    loadExistingGrant: async (context: GrantContext) => {
      const { provider, session, client, params } = context.oidc;
      const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
      grant.addOIDCScope(params.scope);
      await grant.save();
      return grant;
    },
  };
}

interface GrantContext {
  oidc: {
    provider: Provider;
    session: { accountId: string };
    client: { clientId: string };
    params: { scope: string };
  };
}

/** Starts the provider on a free port. */
export async function startOidcServer(options: OidcServerOptions = {}): Promise<OidcServer> {
  let provider: Provider;
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', server.issuer);
    server.requests.push(pathname);
    const fault = server.fault?.(pathname);
    if (fault === 'hang') return;
    if (fault !== undefined) {
      response.writeHead(fault.status, { 'Content-Type': 'application/json' }).end(fault.body);
      return;
    }
    if (pathname.startsWith('/interaction/'))
      void provider.interactionFinished(request, response, { login: { accountId: server.person } });
    else provider.callback()(request, response);
  };
  const http = createServer(answer);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const server: OidcServer = {
    issuer,
    clientId: 'inventory',
    clientSecret: options.clientSecret ?? 'a secret of the client',
    accounts: new Map([['m-1', { preferred_username: 'maria', groups: ['dba'] }]]),
    person: 'm-1',
    requests: [],
    fault: undefined,
    rotateKeys: () => {
      provider = new Provider(issuer, configurationOf(server, options));
    },
    authorize: (parameters) => followRedirects(server, parameters),
    stop: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  provider = new Provider(issuer, configurationOf(server, options));
  return server;
}

async function followRedirects({ issuer }: OidcServer, parameters: Record<string, string>): Promise<URL> {
  const { url, page } = await browserOf(issuer)(new URL(`/auth?${String(new URLSearchParams(parameters))}`, issuer));
  if (page !== undefined) throw new Error(`The provider answered ${page.status}: ${page.text}`);
  return url;
}
