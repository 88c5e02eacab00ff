import { createLocalJWKSet, decodeJwt, errors, jwtVerify } from 'jose';
import { LogInRefusal, type LogInRefusalReason } from '../../../contract/refusal.ts';
import type { Claims } from '../../../domain/access/grant.ts';
import type { Services } from '../provider-documents.ts';
import { type JwtProvider, type KeySet, keysOf, newerKeysOf } from './issuer-keys.ts';

/** Only signatures by a private key: neither `none`, nor a digest with a secret, of which a public key could be taken. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Clocks of issuers may differ by this. */
const TOLERANCE_SECONDS = 30;

/** Also a token without an early end is refused after this time. */
const MAX_AGE = '24h';

const byClaim: Readonly<Record<string, LogInRefusalReason>> = { aud: 'wrong_audience', iss: 'wrong_issuer' };

/** The reason for the audit; undefined for an error of this service. */
function reasonOf(error: unknown): LogInRefusalReason | undefined {
  if (error instanceof errors.JWTExpired) return 'expired_identity';
  if (error instanceof errors.JWTClaimValidationFailed) return byClaim[error.claim] ?? 'invalid_identity';
  if (error instanceof errors.JWKSNoMatchingKey) return 'unknown_key';
  return error instanceof errors.JOSEError ? 'invalid_identity' : undefined;
}

/** The issuer that a token claims: before its keys are read, so that no other text causes a request. */
function claimedIssuer(token: string): unknown {
  try {
    return decodeJwt(token).iss;
  } catch {
    throw new LogInRefusal('invalid_identity');
  }
}

async function verifyWith(token: string, keys: KeySet, provider: JwtProvider, now: Date): Promise<Claims> {
  const { issuer, audience, usernameClaim = 'sub' } = provider;
  const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(keys), {
    issuer,
    audience,
    algorithms: ALGORITHMS,
    clockTolerance: TOLERANCE_SECONDS,
    currentDate: now,
    maxTokenAge: MAX_AGE,
    requiredClaims: ['exp', 'sub'],
  });
  // Other types of tokens of the same issuer, such as those of a log-out, are no proof of identity.
  if (protectedHeader.typ !== undefined && protectedHeader.typ.toUpperCase() !== 'JWT')
    throw new LogInRefusal('invalid_identity');
  // Every other service of the audience could present it here.
  if (Array.isArray(payload.aud) && payload.aud.length !== 1) throw new LogInRefusal('wrong_audience');
  if (typeof payload.sub !== 'string' || payload.sub === '') throw new LogInRefusal('invalid_identity');
  const name = payload[usernameClaim];
  if (typeof name !== 'string' || name === '') throw new LogInRefusal('invalid_identity');
  return payload;
}

/**
 * The claims of a token, if the provider has signed it for this service.
 *
 * @throws LogInRefusal with the reason for the audit; ApiError `unavailable` when no keys of the issuer are known.
 */
export async function verifyToken(token: string, provider: JwtProvider, services: Services): Promise<Claims> {
  if (claimedIssuer(token) !== provider.issuer) throw new LogInRefusal('wrong_issuer');
  const now = services.clock();
  try {
    return await verifyWith(token, await keysOf(provider, services), provider, now);
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    const newer = reason === 'unknown_key' ? await newerKeysOf(provider, services) : undefined;
    if (newer === undefined) throw new LogInRefusal(reason);
    return verifyWith(token, newer, provider, now).catch((again: unknown) => {
      const second = reasonOf(again);
      throw second === undefined ? again : new LogInRefusal(second);
    });
  }
}
