import * as z from 'zod/mini';
import { LogInRefusal } from '../../contract/refusal.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import type { ProviderSubject } from '../../store/credentials/provider-sessions.ts';
import { claimedIssuer, signedClaims } from '../jwt/verify-token.ts';
import { documentsOf, newerDocumentsOf } from '../oidc/oidc-documents.ts';
import { type OidcProvider, oidcProviders } from '../oidc/provider.ts';

/** Longer than the two minutes that the standard recommends for the life of these tokens. */
const MAX_AGE = '5m';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

const name = z.string().check(z.minLength(1), z.maxLength(1024));

const claimsSchema = z
  .looseObject({
    iat: z.number(),
    jti: name,
    events: z.looseObject({ [EVENT]: z.looseObject({}) }),
    sid: z.optional(name),
    sub: z.optional(name),
    // An ID token has it: nobody can present one as a log-out token.
    nonce: z.optional(z.undefined()),
  })
  .check(z.refine(({ sid, sub }) => sid !== undefined || sub !== undefined));

/** A log-out token whose provider has signed it for this service. */
export interface LogOut {
  provider: OidcProvider;
  /** The id of the token. */
  jti: string;
  of: ProviderSubject;
}

/**
 * The log-out that a token states. The provider is that of its issuer: the settings have one with each.
 *
 * @throws LogInRefusal with the reason for the audit; ProviderFailure when no keys of the provider are known.
 */
export async function verifyLogOutToken(token: string, dependencies: Dependencies): Promise<LogOut> {
  const claimed = claimedIssuer(token);
  const provider = oidcProviders(dependencies).find(({ issuer }) => issuer === claimed);
  if (provider === undefined) throw new LogInRefusal('wrong_issuer');
  const { issuer, clientId } = provider;
  const addressee = { audience: clientId, isClient: true };
  const rules = {
    ...{ issuer, addressee, requiredClaims: ['iat', 'jti', 'events'], maxAge: MAX_AGE },
    types: ['logout+jwt', 'application/logout+jwt', 'jwt'],
    keys: async () => (await documentsOf(provider, dependencies)).jwks,
    newerKeys: async () => (await newerDocumentsOf(provider, dependencies))?.jwks,
  };
  const { data: claims } = z.safeParse(claimsSchema, await signedClaims(token, rules, dependencies.clock()));
  if (claims === undefined) throw new LogInRefusal('invalid_identity');
  const { jti, sid, sub, iat } = claims;
  return { provider, jti, of: { issuer, sid, subject: sub, issuedAt: iat } };
}
