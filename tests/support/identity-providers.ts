import type { JWTPayload } from 'jose';
import type { IdentityProvider } from '../../functions/domain/fields/identity-providers.ts';
import { AUDIENCE, newSigningKey, signedBy } from './program-tokens.ts';

const clusterKey = await newSigningKey('cluster');
const CLUSTER = 'https://kubernetes.default.svc.cluster.local';

/** Providers that an inventory of tests knows by default. Nobody asks their issuers for keys. */
export const testProviders: readonly IdentityProvider[] = [
  { name: 'github', kind: 'jwt', issuer: 'https://token.actions.githubusercontent.com', audience: AUDIENCE },
  // Nothing listens there.
  {
    name: 'company',
    kind: 'oidc',
    issuer: 'http://127.0.0.1:1',
    clientId: 'inventory',
    redirectUris: ['https://inventory.example.com/'],
  },
  {
    name: 'cluster',
    kind: 'jwt',
    issuer: CLUSTER,
    audience: AUDIENCE,
    keys: { keys: [clusterKey.publicJwk as { kty: 'EC' }] },
  },
];

/** A token of the provider `cluster`. */
export const clusterToken = (claims: JWTPayload = {}): Promise<string> =>
  signedBy(clusterKey, { iss: CLUSTER, sub: 'system:serviceaccount:shop:deployer', ...claims });
