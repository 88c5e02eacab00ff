import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JWTPayload } from 'jose';
import { newSigningKey, signedBy, type SigningKey } from './program-tokens.ts';
import { testTime } from './test-time.ts';

export type Fault = (path: string, response: ServerResponse) => unknown;

/** An issuer of tokens in this process, with its OpenID configuration and its keys. Its clock stands at the time of tests. */
export interface Issuer {
  issuer: string;
  /** The paths that were requested. */
  requests: string[];
  /** The keys that it publishes. */
  keys: SigningKey[];
  /** Answers instead of the issuer. */
  fault: Fault | undefined;
  sign: (claims: JWTPayload, header?: Record<string, unknown>) => Promise<string>;
  stop: () => Promise<void>;
}

export async function startIssuer(): Promise<Issuer> {
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    issuer.requests.push(path);
    response.setHeader('Date', testTime().toUTCString());
    if (issuer.fault !== undefined) {
      issuer.fault(path, response);
      return;
    }
    const documents: Record<string, unknown> = {
      '/.well-known/openid-configuration': { issuer: issuer.issuer, jwks_uri: `${issuer.issuer}/keys` },
      '/keys': { keys: issuer.keys.map(({ publicJwk }) => publicJwk) },
    };
    response.writeHead(documents[path] === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(documents[path] ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const issuer: Issuer = {
    issuer: `http://127.0.0.1:${port}`,
    requests: [],
    keys: [await newSigningKey('first')],
    fault: undefined,
    sign: (claims, header) => signedBy(issuer.keys.at(-1)!, { iss: issuer.issuer, ...claims }, header),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return issuer;
}
