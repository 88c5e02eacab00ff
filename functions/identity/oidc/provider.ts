import { lazily } from '../../../shared/core/lazily.ts';
import { readFile } from 'node:fs/promises';
import type { IdentityProvider } from '../../domain/fields/identity-providers.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import { identityProvidersOf } from '../../runtime/identity-providers.ts';
import { ProviderFailure } from '../provider-failure.ts';

/** An identity provider of people: the console starts the authorization code flow. */
export type OidcProvider = Extract<IdentityProvider, { kind: 'oidc' }>;

/** The providers of people. */
export const oidcProviders = (dependencies: Dependencies): OidcProvider[] =>
  identityProvidersOf(dependencies).filter((provider) => provider.kind === 'oidc');

/** The name that people read. */
export const titleOf = ({ name, displayName }: OidcProvider) => displayName ?? name;

/** The scopes to ask for. `offline_access` is for the renewal of sessions; providers without refresh tokens ignore it. */
export const scopeOf = ({ scopes = ['openid', 'profile', 'email', 'offline_access'] }: OidcProvider) =>
  [...new Set(['openid', ...scopes])].join(' ');

/** How long a secret is used before it is read again. */
const KEPT_MS = 60_000;

const kept = new Map<string, { text: string; until: number }>();

const secretReader = lazily(() =>
  import('../../../shared/aws/secrets-manager.ts').then((part) => part.createSecretReader()),
);

async function readSecret({ clientSecretArn: arn, clientSecretFile: file }: OidcProvider): Promise<string | undefined> {
  if (arn !== undefined) return (await (await secretReader())(arn)).text.trim();
  return file === undefined ? undefined : (await readFile(file, 'utf8')).trim();
}

/**
 * The secret of the client, at most a minute old; undefined for a public client.
 *
 * @throws ProviderFailure when it cannot be read.
 */
export async function clientSecretOf(
  provider: OidcProvider,
  { clock }: Pick<Dependencies, 'clock'>,
): Promise<string | undefined> {
  const place = provider.clientSecretArn ?? provider.clientSecretFile;
  if (place === undefined) return undefined;
  const now = clock().getTime();
  const cached = kept.get(place);
  if (cached !== undefined && cached.until > now && cached.until <= now + KEPT_MS) return cached.text;
  try {
    const text = await readSecret(provider);
    if (text === undefined || text === '') throw new Error('it is empty');
    kept.set(place, { text, until: now + KEPT_MS });
    return text;
  } catch (error) {
    const code =
      error instanceof Error && 'code' in error ? String(error.code) : error instanceof Error ? error.name : '';
    throw new ProviderFailure(provider, 'client', `the client secret in ${place} cannot be read (${code}).`);
  }
}
