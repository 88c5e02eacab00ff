import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';

const ISSUER = 'https://issuer.example.com';
const AUDIENCE = 'https://inventory.example.com';
const SUBJECT = 'repo:octo-org/shop:ref:refs/heads/main';

/** The provider of the tokens of a program, and what it needs for a log-in. */
export interface ProgramTokens {
  /** The setting of the deployment, with the key of the issuer. */
  identityProviders: string;
  /** The role binding of its programs. */
  binding: object;
  /** The body of a log-in, with a token that was not used before. */
  nextLogIn: () => object;
}

/** Signs by Node, which needs no promise: a benchmark makes the token of a request before its time is taken. */
export function newProgramTokens(): ProgramTokens {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const header = { alg: 'ES256', kid: 'bench', typ: 'JWT' };
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: header.kid, alg: header.alg, use: 'sig' };
  const provider = { name: 'ci', kind: 'jwt', issuer: ISSUER, audience: AUDIENCE, keys: { keys: [jwk] } };
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  return {
    identityProviders: JSON.stringify([provider]),
    binding: { name: 'editors', provider: provider.name, claims: { sub: [SUBJECT] }, role: 'Editor' },
    nextLogIn: () => {
      const iat = Math.floor(Date.now() / 1000);
      const claims = { iss: ISSUER, aud: AUDIENCE, sub: SUBJECT, jti: randomUUID(), iat, exp: iat + 300 };
      const text = `${encode(header)}.${encode(claims)}`;
      const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return { method: 'jwt', provider: provider.name, token: `${text}.${signature.toString('base64url')}` };
    },
  };
}
