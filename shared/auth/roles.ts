/** The ordered roles, from the weakest to the strongest: each includes the rights of those before it. */
export const ranks = ['Viewer', 'Editor', 'Admin'] as const;

export type Rank = (typeof ranks)[number];

/** The roles of keys that an Admin adds. Relay and Gateway are outside the order: see `roles`. */
export const givenRoles = [...ranks, 'Relay', 'Gateway'] as const;

export type GivenRole = (typeof givenRoles)[number];

/**
 * Every role. Three are outside the order, and may call only endpoints whose contract opens them to it: a Registrar is
 * bound to one node (`scoped`: for objects below that node), a Relay reports for any host (`relay`), a Gateway also reads
 * what the agents of its hosts run (`gateway`).
 */
export const roles = [...givenRoles, 'Registrar'] as const;

export type Role = (typeof roles)[number];

/** The roles that a role binding gives, from the weakest to the strongest. A Registrar enrols hosts, and nothing else. */
export const grantedRoles = ['Registrar', ...ranks] as const;

export type GrantedRole = (typeof grantedRoles)[number];

/** Whether the role `mine` includes the rights of the role `minimum`. Never true for a role outside the order. */
export function roleAllows(mine: Role, minimum: Rank): boolean {
  // Does not compare indexes: for an invalid `minimum` (index -1) that would admit everybody.
  return ranks.slice(0, ranks.findIndex((rank) => rank === mine) + 1).includes(minimum);
}

/** Whether a value is one of the ordered roles, with the same spelling. */
export function isRank(text: unknown): text is Rank {
  return ranks.some((rank) => rank === text);
}
