import * as z from 'zod/mini';
import { base } from '../api/base.tsx';
import { ApiFailure, logInAsUser } from '../api/client.tsx';
import { session } from '../api/session.tsx';
import { replace } from '../ui/route.tsx';
import type { OfferedMethod } from './log-in.tsx';

/** A way to log in that an identity provider checks. */
export type ProviderMethod = Extract<OfferedMethod, { method: 'oidc' }>;

/** The key of the log-in that this tab keeps while the person is at the provider. */
const STORAGE_KEY = 'provider-log-in';

const keptSchema = z.object({
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  code_verifier: z.string(),
  redirect_uri: z.string(),
  /** The page to show after the log-in. */
  hash: z.string(),
});

type PendingLogIn = z.output<typeof keptSchema>;

const RANDOM_BYTES = 32;

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const randomText = () => base64url(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)));

const challengeOf = async (verifier: string) =>
  base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));

/** The address of this console, as it is registered at the provider. */
const ownAddress = () => `${location.origin}${base}/`;

/** Leaves for the provider. @throws ApiFailure when the log-in cannot begin. */
export async function beginProviderLogIn(method: ProviderMethod): Promise<void> {
  const { title, provider, authorization_endpoint: endpoint, client_id, scope, redirect_uris } = method;
  if (endpoint === undefined)
    throw new ApiFailure(0, {
      message: `${title} cannot be reached at the moment. Try again later, or ask your administrator: the log has the reason.`,
    });
  const redirect_uri = ownAddress();
  if (!redirect_uris.includes(redirect_uri))
    throw new ApiFailure(0, {
      message: `Log-in with ${title} is not set up for the address ${redirect_uri}. Open the console at ${redirect_uris[0] ?? ''}.`,
    });
  const kept: PendingLogIn = {
    ...{ provider, redirect_uri, hash: location.hash },
    ...{ state: randomText(), nonce: randomText(), code_verifier: randomText() },
  };
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(kept));
  const url = new URL(endpoint);
  const parameters = {
    ...{ response_type: 'code', client_id, redirect_uri, scope, state: kept.state, nonce: kept.nonce },
    ...{ code_challenge: await challengeOf(kept.code_verifier), code_challenge_method: 'S256' },
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  location.assign(url);
}

/** The address to leave for, to log out at the provider; undefined if it has none. */
export function providerLogOut({ end_session_endpoint: endpoint, client_id }: ProviderMethod): string | undefined {
  if (endpoint === undefined) return undefined;
  const url = new URL(endpoint);
  url.searchParams.set('client_id', client_id);
  url.searchParams.set('post_logout_redirect_uri', ownAddress());
  return url.href;
}

function takeKept(): PendingLogIn | undefined {
  const text = sessionStorage.getItem(STORAGE_KEY);
  sessionStorage.removeItem(STORAGE_KEY);
  try {
    return z.parse(keptSchema, JSON.parse(text ?? ''));
  } catch {
    return undefined;
  }
}

/** Whether this page was opened by the redirect of a provider. */
export const isProviderReturn = (): boolean => {
  const parameters = new URLSearchParams(location.search);
  return parameters.has('state') && (parameters.has('code') || parameters.has('error'));
};

const refusalText = (error: string) =>
  error === 'access_denied'
    ? 'The identity provider refused the log-in, or you cancelled it. Try again, or ask its administrator for access.'
    : `The identity provider refused the log-in (${error.replace(/[^a-z_]/g, '').slice(0, 40)}). Ask your administrator.`;

async function redeem(): Promise<void> {
  const { code, state, error, iss } = Object.fromEntries(new URLSearchParams(location.search));
  const kept = takeKept();
  // At once: neither the history nor a reload contains the code.
  replace(`${location.pathname}${kept?.hash ?? ''}`);
  if (kept === undefined || kept.state !== state) {
    // A link of anybody has such an address: it ends no session of this tab.
    if (session.state().kind === 'out') session.leave('This log-in did not begin in this tab. Log in again.');
    return;
  }
  if (code === undefined) {
    session.leave(refusalText(error ?? ''));
    return;
  }
  const { provider, nonce, code_verifier, redirect_uri } = kept;
  const proof = { provider, nonce, code_verifier, redirect_uri, code, ...(iss === undefined ? {} : { iss }) };
  try {
    await logInAsUser({ method: 'oidc', ...proof });
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    session.leave(failure.message);
  }
}

let redeeming: Promise<void> | undefined;

/** Finishes the log-in with the code in the address, once: React may call an effect twice. */
export const finishProviderLogIn = (): Promise<void> =>
  (redeeming ??= redeem().finally(() => {
    redeeming = undefined;
  }));
