import type { IdentityProvider } from '../../functions/domain/fields/identity-providers.ts';

/** The audience of the tests. */
export const AUDIENCE = 'https://inventory.example.com';

/** Providers that an inventory of tests knows by default. Nobody asks their issuers for keys. */
export const testProviders = [
  { name: 'github', kind: 'jwt', issuer: 'https://token.actions.githubusercontent.com', audience: AUDIENCE },
  { name: 'company', kind: 'oidc', issuer: 'https://id.example.com', clientId: 'inventory' },
] as const satisfies readonly IdentityProvider[];
