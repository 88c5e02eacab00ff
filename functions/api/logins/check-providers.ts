import { LogInRefusal } from '../../contract/refusal.ts';
import type { IdentityProvider } from '../../domain/fields/identity-providers.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import { identityProvidersOf } from '../../runtime/identity-providers.ts';
import { keysOf } from './jwt/issuer-keys.ts';
import { redeemCode } from './oidc/identity.ts';
import type { OidcProvider } from './oidc/provider.ts';
import { checkClock } from './provider-clock.ts';
import { ProviderFailure } from './provider-failure.ts';

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

/** Why a provider cannot be used, in one sentence; undefined if its settings work. */
async function problemOf(provider: IdentityProvider, dependencies: Dependencies): Promise<string | undefined> {
  // The keys of an issuer that cannot be reached are in the settings.
  const isReached = provider.kind === 'oidc' || provider.keys === undefined;
  try {
    await (provider.kind === 'jwt' ? keysOf(provider, dependencies) : checkClient(provider, dependencies));
    if (isReached) await checkClock(provider, dependencies);
    return undefined;
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
