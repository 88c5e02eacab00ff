import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calculatePKCECodeChallenge } from 'oauth4webapi';
import type { IdentityProvider } from '../../functions/domain/fields/identity-providers.ts';
import type { Inventory, Reply } from './inventory.ts';
import { type OidcServer, REDIRECT_URI } from './oidc-server.ts';

/** A provider at which a person logs in. */
export type LogInServer = Pick<OidcServer, 'issuer' | 'clientId' | 'clientSecret' | 'authorize'>;

let folder: string | undefined;

/** A folder of this process for the secrets of providers, removed at its end. */
function secretFolder(): string {
  if (folder !== undefined) return folder;
  const made = mkdtempSync(join(tmpdir(), 'oidc-'));
  process.once('exit', () => {
    rmSync(made, { recursive: true, force: true });
  });
  return (folder = made);
}

/** The settings for the provider, with its secret in a new file. */
export async function settingsFor(
  server: Omit<LogInServer, 'authorize'>,
  others: Partial<Extract<IdentityProvider, { kind: 'oidc' }>> & { secret?: string } = {},
): Promise<IdentityProvider> {
  const { secret = server.clientSecret, ...more } = others;
  const file = join(secretFolder(), text());
  await writeFile(file, `${secret}\n`, { mode: 0o600 });
  return {
    name: 'corporate',
    kind: 'oidc',
    issuer: server.issuer,
    clientId: server.clientId,
    clientSecretFile: file,
    redirectUris: [REDIRECT_URI],
    ...more,
  };
}

const text = () => randomBytes(32).toString('base64url');

/** The first half of a log-in: what the console keeps, and the redirect that it gets from the provider. */
export async function authorized(server: LogInServer, scope = 'openid profile email offline_access') {
  const [state, nonce, code_verifier] = [text(), text(), text()];
  const redirect = await server.authorize({
    response_type: 'code',
    client_id: server.clientId,
    redirect_uri: REDIRECT_URI,
    scope,
    code_challenge: await calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  });
  const { code, iss, ...rest } = Object.fromEntries(redirect.searchParams);
  return {
    state,
    redirect: rest,
    body: {
      ...{ method: 'oidc', provider: 'corporate', nonce, code_verifier, redirect_uri: REDIRECT_URI },
      ...{ code: code ?? '', ...(iss === undefined ? {} : { iss }) },
    },
  };
}

let hosts = 0;

/** `POST /v1/logins` from an address of its own: other tests do not use up its attempts. */
export const logIn = (inventory: Inventory, body: object): Promise<Reply> =>
  inventory.request('POST', '/v1/logins', { as: null, body, sourceIp: `10.1.${(hosts += 1) >> 8}.${hosts & 255}` });

/** A whole log-in. */
export const logInByProvider = async (inventory: Inventory, server: LogInServer, scope?: string) =>
  logIn(inventory, (await authorized(server, scope)).body);
