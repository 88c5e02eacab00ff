import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { type OidcProvider, scopeOf } from '../../api/logins/oidc/provider.ts';

/** A log-in that has begun: the browser keeps it while the person is at the provider. */
const pendingSchema = z.object({
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  code_verifier: z.string(),
});

export type PendingLogIn = z.output<typeof pendingSchema>;

/** Only this host over TLS can set a cookie with this prefix. */
const COOKIE = '__Host-log-in';
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax';
const KEPT_SECONDS = 600;

const randomText = () => randomBytes(32).toString('base64url');

export const newLogIn = ({ name: provider }: OidcProvider): PendingLogIn => ({
  ...{ provider, state: randomText(), nonce: randomText(), code_verifier: randomText() },
});

export const cookieFor = (pending: PendingLogIn) =>
  `${COOKIE}=${Buffer.from(JSON.stringify(pending)).toString('base64url')}; Max-Age=${KEPT_SECONDS}; ${ATTRIBUTES}`;

/** Ends the log-in in the browser: a code is redeemed once. */
export const endedCookie = `${COOKIE}=; Max-Age=0; ${ATTRIBUTES}`;

/** The log-in that this browser has begun. @param cookies as `name=value`. */
export function pendingIn(cookies: readonly string[]): PendingLogIn | undefined {
  const value = cookies.find((cookie) => cookie.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
  try {
    return z.parse(pendingSchema, JSON.parse(Buffer.from(value ?? '', 'base64url').toString()));
  } catch {
    return undefined;
  }
}

/** Where the person logs in. The page needs no refresh token. */
export function authorizationAddress(
  provider: OidcProvider,
  { endpoint, redirectUri }: { endpoint: string; redirectUri: string },
  { state, nonce, code_verifier: verifier }: PendingLogIn,
): string {
  const scope = scopeOf(provider)
    .split(' ')
    .filter((name) => name !== 'offline_access')
    .join(' ');
  const url = new URL(endpoint);
  const parameters = {
    ...{ response_type: 'code', client_id: provider.clientId, redirect_uri: redirectUri, scope, state, nonce },
    ...{
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    },
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
