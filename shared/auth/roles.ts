/** Every role, from the weakest to the strongest: each may do all that those before it may. */
export const roles = ['Viewer', 'Editor', 'Admin'] as const;

export type Role = (typeof roles)[number];

/** Whether someone with the role `mine` may do what takes at least the role `minimum`. */
export function roleAllows(mine: Role, minimum: Role): boolean {
  // Not a comparison of indexes, where a `minimum` that is no role (-1) would let everyone in.
  return roles.slice(0, roles.indexOf(mine) + 1).includes(minimum);
}

/** Whether a value from outside is a role, spelled exactly like one. */
export function isRole(text: unknown): text is Role {
  return roles.some((role) => role === text);
}
