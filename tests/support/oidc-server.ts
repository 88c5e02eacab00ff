import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { importJWK, SignJWT } from 'jose';
import Provider from 'oidc-provider';
import { browserOf } from './browsing.ts';
import { processDate } from './process-date.ts';

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
  /** Whether log-ins get refresh tokens. */
  givesRefreshTokens: boolean;
  /** How requests are answered instead; `undefined`: as usual. `hang`: never. */
  fault: ((path: string) => { status: number; body: string } | 'hang' | undefined) | undefined;
  /** Follows the redirects of an authorization request as a browser does. @returns the address of the console. */
  authorize: (parameters: Record<string, string>) => Promise<URL>;
  /** A browser of its own: its log-ins share a session at the provider, until it logs out there. */
  newBrowser: () => Browser;
  /** The name of the session at the provider in which a person was last authorized. */
  lastSid: string;
  /** Signs claims as the provider does. */
  sign: (claims: Record<string, unknown>, header?: Record<string, unknown>) => Promise<string>;
  stop: () => Promise<void>;
}

export interface Browser extends Pick<OidcServer, 'issuer' | 'clientId' | 'clientSecret' | 'authorize'> {
  logOut: () => Promise<void>;
}

export interface OidcServerOptions {
  redirectUri?: string;
  /** Whether groups are in the ID token; else the UserInfo endpoint has them. */
  groupsInIdToken?: boolean;
  clientSecret?: string;
  /** The time at which it, and the `Date` of this process, stand until its end. Default: the time of the machine. */
  time?: Date;
  /** Default: without TLS. */
  certificate?: { key: string; cert: string };
  /** Where log-out tokens are sent; ID tokens then name the session. Default: nowhere. */
  backChannelLogoutUri?: string;
}

function newKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'ES256' };
}

type SigningJwk = ReturnType<typeof newKey>;

export const REDIRECT_URI = 'http://127.0.0.1:8/';

/** The settings of the provider. People need no page: who is logged in at the provider has consented. */
function configurationOf(
  server: OidcServer,
  key: SigningJwk,
  { redirectUri = REDIRECT_URI, ...options }: OidcServerOptions,
) {
  const { groupsInIdToken: isInToken = true, backChannelLogoutUri } = options;
  return {
    jwks: { keys: [key] },
    clients: [
      {
        client_id: server.clientId,
        client_secret: server.clientSecret,
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        id_token_signed_response_alg: 'ES256',
        ...(backChannelLogoutUri === undefined
          ? {}
          : { backchannel_logout_uri: backChannelLogoutUri, backchannel_logout_session_required: true }),
      },
    ],
    cookies: { keys: ['of a test'] },
    claims: { openid: ['sub'], profile: ['preferred_username', 'groups', '_claim_names'], email: ['email'] },
    conformIdTokenClaims: !isInToken,
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        // The page of the package loads fonts from elsewhere.
        logoutSource: (context: { body: string }, form: string) => {
          context.body = `<!doctype html>${form}<button form="op.logoutForm" name="logout" value="yes">Yes</button>`;
        },
      },
      backchannelLogout: { enabled: true },
    },
    // Without the dispatcher of the package, which refuses addresses of loopback.
    fetch: (url: string, { dispatcher: _, ...request }: RequestInit & { dispatcher?: unknown }) => fetch(url, request),
    rotateRefreshToken: true,
    issueRefreshToken: () => server.givesRefreshTokens,
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

interface AuthorizationContext {
  oidc: { session: { sidFor: (clientId: string) => string } };
}

/** Starts the provider on a free port. */
export async function startOidcServer(options: OidcServerOptions = {}): Promise<OidcServer> {
  let key: SigningJwk;
  let provider: Provider;
  const renew = () => {
    key = newKey();
    provider = new Provider(server.issuer, configurationOf(server, key, options));
    provider.on('authorization.success', ({ oidc }: AuthorizationContext) => {
      server.lastSid = oidc.session.sidFor(server.clientId);
    });
  };
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', server.issuer);
    server.requests.push(pathname);
    if (options.time !== undefined) response.setHeader('Date', options.time.toUTCString());
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
  const { certificate, time } = options;
  if (time !== undefined) processDate.set(time);
  const http = certificate === undefined ? createServer(answer) : createTlsServer(certificate, answer);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const scheme = certificate === undefined ? 'http' : 'https';
  const issuer = `${scheme}://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const server: OidcServer = {
    issuer,
    clientId: 'inventory',
    clientSecret: options.clientSecret ?? 'a secret of the client',
    accounts: new Map([['m-1', { preferred_username: 'maria', groups: ['dba'] }]]),
    person: 'm-1',
    requests: [],
    givesRefreshTokens: true,
    fault: undefined,
    rotateKeys: renew,
    lastSid: '',
    authorize: (parameters) => server.newBrowser().authorize(parameters),
    newBrowser: () => browserAt(server),
    sign: async (claims, header = {}) => {
      const { kid, alg } = key;
      const protectedHeader = { typ: 'logout+jwt', kid, alg, ...header };
      return new SignJWT({ iss: issuer, aud: server.clientId, ...claims })
        .setProtectedHeader(protectedHeader)
        .sign(await importJWK(key, 'ES256'));
    },
    stop: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      if (time !== undefined) processDate.release();
    },
  };
  renew();
  return server;
}

function browserAt({ issuer, clientId, clientSecret }: OidcServer): Browser {
  const visit = browserOf(issuer);
  return {
    ...{ issuer, clientId, clientSecret },
    authorize: async (parameters) => {
      const { url, page } = await visit(new URL(`/auth?${String(new URLSearchParams(parameters))}`, issuer));
      if (page !== undefined) throw new Error(`The provider answered ${page.status}: ${page.text}`);
      return url;
    },
    logOut: async () => {
      const { page } = await visit(new URL('/session/end', issuer));
      const xsrf = /name="xsrf" value="([^"]*)"/.exec(page?.text ?? '')?.[1] ?? '';
      const form = new URLSearchParams({ xsrf, logout: 'yes' });
      const { page: end } = await visit(new URL('/session/end/confirm', issuer), form);
      if (end?.status !== 200) throw new Error(`The provider answered ${end?.status}: ${end?.text}`);
    },
  };
}
