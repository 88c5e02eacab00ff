import type { IdentityProvider } from '../domain/fields/identity-providers.ts';
import { ProviderFailure } from './provider-failure.ts';

/** Clocks of identity providers may differ by this. */
export const TOLERANCE_SECONDS = 30;

/**
 * The failure if the clock of a provider, by the headers of its reply, and that of this service differ by more than the
 * tolerance of tokens: a token can show only some of the differences, and only in a log-in.
 */
export function clockFailure(provider: IdentityProvider, headers: Headers, now: Date): ProviderFailure | undefined {
  // A cache states for how long it has kept the reply.
  const time = Date.parse(headers.get('date') ?? '') / 1000 + Number(headers.get('age') ?? 0);
  const ahead = Math.round(now.getTime() / 1000 - time);
  if (Math.abs(ahead) <= TOLERANCE_SECONDS || Number.isNaN(ahead)) return undefined;
  const difference = `the clock of this server is ${Math.abs(ahead)} seconds ${ahead > 0 ? 'ahead of' : 'behind'} its clock`;
  return new ProviderFailure(provider, 'clock', `${difference}. Set both clocks by NTP.`);
}
