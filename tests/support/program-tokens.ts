import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { TEST_TIME } from './test-time.ts';

/** The audience of the tests. */
export const AUDIENCE = 'https://inventory.example.com';

export interface SigningKey {
  kid: string;
  alg: string;
  privateKey: CryptoKey;
  publicJwk: JWK;
}

export async function newSigningKey(kid: string, alg = 'ES256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** Signs a program's claims at the time of tests. */
export function signedBy(
  { kid, alg, privateKey }: SigningKey,
  claims: JWTPayload,
  header: Record<string, unknown> = {},
): Promise<string> {
  const now = Math.floor(TEST_TIME / 1000);
  const times = { iat: now, nbf: now, exp: now + 300 };
  return new SignJWT({ aud: AUDIENCE, ...times, ...claims })
    .setProtectedHeader({ typ: 'JWT', ...header, alg, kid })
    .sign(privateKey);
}
