import * as z from 'zod/mini';
import { oncePer } from '../../../shared/core/once-per.ts';
import type { IdentityProvider } from '../../domain/fields/identity-providers.ts';
import { type IssuerKeys, issuerKeysSchema, keySetSchema } from '../../store/credentials/issuer-documents.ts';
import { documentCache, type Services } from '../provider-documents.ts';

export type JwtProvider = Extract<IdentityProvider, { kind: 'jwt' }>;
export type KeySet = IssuerKeys['jwks'];

const { documentsOf, newerDocumentsOf } = documentCache<JwtProvider, IssuerKeys>({
  schema: issuerKeysSchema,
  used: [],
});

const keysInSettings = oncePer((keys: NonNullable<JwtProvider['keys']>): KeySet => z.parse(keySetSchema, keys));

/**
 * The keys of a provider: those in the settings, or those that its issuer publishes.
 *
 * @throws ProviderFailure when no keys are known.
 */
export async function keysOf(provider: JwtProvider, services: Services): Promise<KeySet> {
  if (provider.keys !== undefined) return keysInSettings(provider.keys);
  return (await documentsOf(provider, services)).jwks;
}

/** The keys once more, for a token with an unknown key; undefined when no newer ones are known. */
export async function newerKeysOf(provider: JwtProvider, services: Services): Promise<KeySet | undefined> {
  if (provider.keys !== undefined) return undefined;
  return (await newerDocumentsOf(provider, services))?.jwks;
}
