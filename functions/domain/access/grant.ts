import { type GrantedRole, grantedRoles } from '../../../shared/auth/roles.ts';
import type { BindingRules } from './role-binding.ts';

/** The claims of an identity, as its token contains them. */
export type Claims = Readonly<Record<string, unknown>>;

/** The role and the owners of an identity, and the bindings that give them. */
export interface Grant<Binding extends BindingRules = BindingRules> {
  role: GrantedRole;
  /** Undefined: no limit. */
  owners: readonly string[] | undefined;
  /** All that matched, also those of weaker roles. */
  bindings: readonly Binding[];
}

const ownValue = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;

/** The value of a claim; a name that begins with a slash is a JSON pointer. */
export function claimOf(claims: Claims, name: string): unknown {
  if (!name.startsWith('/')) return ownValue(claims, name);
  const steps = name
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce<unknown>(ownValue, claims);
}

/** A value as bindings compare it; undefined for an object. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** The values of a claim as text. An absent claim has none, so an absent list of groups is an empty one. */
export function claimValues(claims: Claims, name: string): string[] {
  const value = claimOf(claims, name);
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.flatMap((item) => textOf(item) ?? []);
}

/**
 * The claims that count for bindings and names. An address that the provider has not verified is one that anybody can
 * type: `email` counts with `email_verified` only, or if the provider verifies each address and so leaves that out.
 */
export function countedClaims(claims: Claims, provider: { emailIsVerified?: boolean | undefined }): Claims {
  const { email: _email, ...others } = claims;
  const verified = ownValue(claims, 'email_verified');
  // Some providers write it as text.
  const counts = verified === undefined ? provider.emailIsVerified === true : textOf(verified) === 'true';
  return counts ? claims : others;
}

/** The claims of a binding that an identity lacks, or has with other values. Empty: the binding matches. */
export const missingClaims = ({ claims: bound }: BindingRules, claims: Claims): string[] =>
  Object.entries(bound).flatMap(([name, values]) =>
    claimValues(claims, name).some((value) => values.includes(value)) ? [] : [name],
  );

/**
 * The grant of all matching bindings: the strongest role; of the bindings with this role the union of the owners; a
 * binding without owners limits nothing.
 *
 * @returns undefined when none matches: no access.
 */
export function combinedGrant<Binding extends BindingRules>(
  bindings: readonly Binding[],
  claims: Claims,
): Grant<Binding> | undefined {
  const matching = bindings.filter((binding) => missingClaims(binding, claims).length === 0);
  const role = grantedRoles.findLast((candidate) => matching.some((binding) => binding.role === candidate));
  if (role === undefined) return undefined;
  const strongest = matching.filter((binding) => binding.role === role);
  const isLimited = strongest.every(({ owners }) => owners !== undefined);
  const owners = isLimited ? [...new Set(strongest.flatMap((binding) => binding.owners ?? []))].sort() : undefined;
  return { role, owners, bindings: matching };
}

/**
 * Bindings that suffice for the role and the owners of a grant: one without owners, otherwise those that each add an
 * owner. So a credential does not rest on more bindings than it has owners.
 */
export function sufficientBindings<Binding extends BindingRules>({ role, bindings }: Grant<Binding>): Binding[] {
  const giving = bindings.filter((binding) => binding.role === role);
  const unlimited = giving.find(({ owners }) => owners === undefined);
  if (unlimited !== undefined) return [unlimited];
  const given = new Set<string>();
  return giving.filter(({ owners = [] }) => {
    const before = given.size;
    for (const owner of owners) given.add(owner);
    return given.size > before;
  });
}

const isPart = (part: readonly string[], whole: readonly string[]) => part.every((segment) => whole.includes(segment));

/** Whether a change of a binding can take something from an identity. A Registrar is no weaker role, but another one. */
export function narrows(before: BindingRules, after: BindingRules): boolean {
  const isRoleKept =
    before.role === after.role ||
    (before.role !== 'Registrar' && grantedRoles.indexOf(before.role) < grantedRoles.indexOf(after.role));
  const areOwnersKept =
    after.owners === undefined || (before.owners !== undefined && isPart(before.owners, after.owners));
  const areClaimsKept = Object.entries(after.claims).every(([name, values]) => {
    const bound = ownValue(before.claims, name);
    return Array.isArray(bound) && isPart(bound, values);
  });
  const isPlaceKept = before.provider === after.provider && before.node_name_claim === after.node_name_claim;
  return !(isRoleKept && areOwnersKept && areClaimsKept && isPlaceKept);
}
