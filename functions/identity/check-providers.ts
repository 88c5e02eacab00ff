import { LogInRefusal } from '../contract/refusal.ts';
import type { IdentityProvider } from '../domain/fields/identity-providers.ts';
import type { Dependencies } from '../runtime/dependencies.ts';
import { identityProvidersOf } from '../runtime/identity-providers.ts';
import { newerKeysOf } from './jwt/issuer-keys.ts';
import { redeemCode } from './oidc/identity.ts';
import type { OidcProvider } from './oidc/provider.ts';
import { clockFailure } from './provider-clock.ts';
import { configurationOf } from './provider-documents.ts';
import { ProviderFailure } from './provider-failure.ts';
import { providerFetch } from './provider-fetch.ts';

/** A code that no provider has given: it answers with `invalid_grant` if it accepts the client and its secret. */
const NO_CODE = { code: 'check-of-settings', code_verifier: 'x'.repeat(43), nonce: 'x' };

async function checkClient(provider: OidcProvider, dependencies: Dependencies): Promise<void> {
  const [redirect_uri = ''] = provider.redirectUris;
  try {
    await redeemCode(provider, { ...NO_CODE, redirect_uri, iss: provider.issuer }, dependencies);
  } catch (error) {
    if (!(error instanceof LogInRefusal)) throw error;
  }
}

/** @throws ProviderFailure for another clock. One request. */
async function checkClock(provider: OidcProvider, { clock }: Dependencies): Promise<void> {
  const options = { headers: { accept: 'application/json' } };
  const response = await providerFetch(configurationOf(provider), options).catch(() => undefined);
  // It has answered a moment ago.
  const failure = response && clockFailure(provider, response.headers, clock());
  if (failure !== undefined) throw failure;
}

/** Why a provider cannot be used, in one sentence; undefined if its settings work. */
async function problemOf(provider: IdentityProvider, dependencies: Dependencies): Promise<string | undefined> {
  let noted: string | undefined;
  // Stored documents bridge a failure, which is then in the log alone.
  const services: Dependencies = { ...dependencies, log: ({ reason }) => (noted = String(reason)) };
  try {
    if (provider.kind === 'jwt') await newerKeysOf(provider, services);
    else {
      await checkClient(provider, services);
      await checkClock(provider, services);
    }
    return noted;
  } catch (error) {
    if (error instanceof ProviderFailure) return error.sentence;
    throw error;
  }
}

/**
 * Tries each identity provider in the settings: its issuer, its keys, and of people also the client and its secret, and
 * its clock. At most four requests each, of 3 seconds.
 *
 * @returns a sentence for each that cannot be used.
 */
export async function checkProviders(dependencies: Dependencies): Promise<string[]> {
  const problems = identityProvidersOf(dependencies).map((provider) => problemOf(provider, dependencies));
  return (await Promise.all(problems)).filter((problem) => problem !== undefined);
}
