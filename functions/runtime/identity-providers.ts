import { invalidRequest } from '../../shared/core/errors.ts';
import { type BindingRules, bindingProblems } from '../domain/access/role-binding.ts';
import { type IdentityProvider, parseIdentityProviders, SESSION_MINUTES } from '../domain/fields/identity-providers.ts';
import type { Dependencies } from './dependencies.ts';

let parsed: { text: string; providers: readonly IdentityProvider[] } | undefined;

/** The identity providers of the deployment, parsed at the first call: only some functions need them. */
export function identityProvidersOf({ identityProviders: text = '' }: Dependencies): readonly IdentityProvider[] {
  if (parsed?.text === text) return parsed.providers;
  const read = parseIdentityProviders(text);
  // The deployment and the start of the local server have checked them.
  if ('problems' in read) throw new Error(read.problems.join(' '));
  parsed = { text, providers: read.providers };
  return read.providers;
}

/** The life of a session without a refresh token of a person of this provider, in seconds; 0 if the setting lacks it. */
export function sessionSecondsOf(provider: string, dependencies: Dependencies): number {
  const settings = identityProvidersOf(dependencies).find(({ name }) => name === provider);
  return settings?.kind === 'oidc' ? (settings.sessionMinutes ?? SESSION_MINUTES) * 60 : 0;
}

/** @throws ApiError `invalidArgument` for a binding that the rules forbid. */
export function checkBinding(binding: BindingRules, dependencies: Dependencies): void {
  const problems = bindingProblems(binding, identityProvidersOf(dependencies));
  if (problems.length > 0) throw invalidRequest(problems);
}
