import { createLocalJWKSet, decodeJwt, errors, jwtVerify } from 'jose';
import { oncePer } from '../../../shared/core/once-per.ts';
import { LogInRefusal, type LogInRefusalReason } from '../../contract/refusal.ts';
import type { Claims } from '../../domain/access/grant.ts';
import { type Addressee, admittedClaims, checkAddressee } from '../admitted-identity.ts';
import { TOLERANCE_SECONDS } from '../provider-clock.ts';
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
export function claimedIssuer(token: string): unknown {
  try {
    return decodeJwt(token).iss;
  } catch {
    throw new LogInRefusal('invalid_identity');
  }
}

/** The requirements of a kind of token, and the keys of its issuer. */
export interface TokenRules {
  issuer: string;
  addressee: Addressee;
  /** Values of `typ` in the header, in lower case; it may be absent. */
  types: readonly string[];
  requiredClaims: string[];
  maxAge: string;
  /** @throws ApiError `unavailable` when no keys are known. */
  keys: () => Promise<KeySet>;
  /** The keys once more, for a token with an unknown key; undefined when no newer ones are known. */
  newerKeys: () => Promise<KeySet | undefined>;
}

/** The keys of a set as jose uses them: it converts a key for the first token, and keeps it. */
const usableKeys = oncePer((keys: KeySet) => createLocalJWKSet(keys));

async function verifyWith(token: string, keys: KeySet, rules: TokenRules, now: Date): Promise<Claims> {
  const { issuer, addressee, requiredClaims, maxAge, types } = rules;
  const { payload, protectedHeader } = await jwtVerify(token, usableKeys(keys), {
    issuer,
    audience: addressee.audience,
    algorithms: ALGORITHMS,
    clockTolerance: TOLERANCE_SECONDS,
    currentDate: now,
    maxTokenAge: maxAge,
    requiredClaims,
  });
  const typ: unknown = protectedHeader.typ;
  const isOfType = typ === undefined || (typeof typ === 'string' && types.includes(typ.toLowerCase()));
  if (!isOfType) throw new LogInRefusal('invalid_identity');
  checkAddressee(payload, addressee);
  return payload;
}

/**
 * The claims of a token, if its issuer has signed it, of the right type, for this audience and at this time.
 *
 * @throws LogInRefusal with the reason for the audit; ApiError `unavailable` when no keys of the issuer are known.
 */
export async function signedClaims(token: string, rules: TokenRules, now: Date): Promise<Claims> {
  if (claimedIssuer(token) !== rules.issuer) throw new LogInRefusal('wrong_issuer');
  try {
    return await verifyWith(token, await rules.keys(), rules, now);
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    const newer = reason === 'unknown_key' ? await rules.newerKeys() : undefined;
    if (newer === undefined) throw new LogInRefusal(reason);
    return verifyWith(token, newer, rules, now).catch((again: unknown) => {
      const second = reasonOf(again);
      throw second === undefined ? again : new LogInRefusal(second);
    });
  }
}

/**
 * The claims of a token, if the provider has signed it for this service.
 *
 * @throws LogInRefusal with the reason for the audit; ApiError `unavailable` when no keys of the issuer are known.
 */
export async function verifyToken(token: string, provider: JwtProvider, services: Services): Promise<Claims> {
  const { issuer, audience, usernameClaim = 'sub' } = provider;
  const rules = {
    ...{ issuer, addressee: { audience, isClient: false }, requiredClaims: ['exp', 'sub'], maxAge: MAX_AGE },
    // Other types of tokens of the same issuer, such as those of a log-out, are no proof of identity.
    types: ['jwt'],
    keys: () => keysOf(provider, services),
    newerKeys: () => newerKeysOf(provider, services),
  };
  const claims = admittedClaims(await signedClaims(token, rules, services.clock()), provider);
  const { [usernameClaim]: name } = claims;
  if (typeof name !== 'string' || name === '') throw new LogInRefusal('invalid_identity');
  return claims;
}
