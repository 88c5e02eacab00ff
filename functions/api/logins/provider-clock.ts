import type { IdentityProvider } from '../../domain/fields/identity-providers.ts';
import { configurationOf, type Services } from './provider-documents.ts';
import { ProviderFailure } from './provider-failure.ts';
import { providerFetch } from './provider-fetch.ts';

/** Clocks of identity providers may differ by this. */
export const TOLERANCE_SECONDS = 30;

/**
 * Compares the clock of a provider with that of this service: a token can show only some of the differences, and only in
 * a log-in. One request.
 *
 * @throws ProviderFailure if they differ by more than the tolerance of tokens.
 */
export async function checkClock(provider: IdentityProvider, { clock }: Services): Promise<void> {
  const options = { headers: { accept: 'application/json' } };
  const response = await providerFetch(configurationOf(provider), options).catch(() => undefined);
  // It has answered a moment ago.
  if (response === undefined) return;
  const { headers } = response;
  // A cache states for how long it has kept the reply.
  const time = Date.parse(headers.get('date') ?? '') / 1000 + Number(headers.get('age') ?? 0);
  const ahead = Math.round(clock().getTime() / 1000 - time);
  if (Math.abs(ahead) <= TOLERANCE_SECONDS || Number.isNaN(ahead)) return;
  const difference = `the clock of this server is ${Math.abs(ahead)} seconds ${ahead > 0 ? 'ahead of' : 'behind'} its clock`;
  throw new ProviderFailure(provider, 'clock', `${difference}. Set both clocks by NTP.`);
}
