/** The roles that are in an order, from the weakest to the strongest: each may do all that those before it may. */
export const ranks = ['Viewer', 'Editor', 'Admin'] as const;

export type Rank = (typeof ranks)[number];

/**
 * Every role. A Registrar is in no order with the others: it is bound to one part of what there is, may call only what a
 * contract opens to it (`scoped`), and that only inside of its part.
 */
export const roles = [...ranks, 'Registrar'] as const;

export type Role = (typeof roles)[number];

/** Whether someone with the role `mine` may do what takes at least the role `minimum`. A Registrar never may. */
export function roleAllows(mine: Role, minimum: Rank): boolean {
  // Not a comparison of indexes, where a `minimum` that is no role (-1) would let everyone in.
  return ranks.slice(0, ranks.findIndex((rank) => rank === mine) + 1).includes(minimum);
}

/** Whether a value from outside is a role of the order, spelled exactly like one. */
export function isRank(text: unknown): text is Rank {
  return ranks.some((rank) => rank === text);
}
