import * as z from 'zod/mini';
import { endAfter } from '../../../shared/core/seconds.ts';
import { ABSENT, isBelow, or } from '../../../shared/db/conditions.ts';
import type { Item, Key, Table } from '../../../shared/db/table.ts';
import { readItems } from '../table/read.ts';
import { TTL_ATTRIBUTE } from '../table/keys.ts';

const claimSchema = z.object({ pk: z.string(), owner_id: z.optional(z.string()) });

/** The id of the object that holds a claim; undefined for a name that was released. */
export const claimant = (claim: Item): string | undefined => z.parse(claimSchema, claim).owner_id;

/**
 * Whether the object that is to get a claim holds it already: it was written since it was read, by a request for the same
 * or by an earlier attempt whose reply was lost.
 */
export const isHeldByItself = (item: Item | undefined, claim: Item): boolean =>
  item !== undefined && claimant(item) === claimant(claim);

/**
 * How long a released name keeps the time of its release. Clocks of functions differ by less, and then every later add has a later
 * time by itself.
 */
const RELEASED_SECONDS = 3600;

/**
 * The claim of a name whose owner was removed. It keeps the time of the removal: the next add of the name has a later one, also by a function
 * whose clock is behind. So a follower that knows objects by their names gets the removal first.
 *
 * @param at milliseconds since 1970.
 */
export const releasedClaim = ({ pk, sk }: Key, at: number): Item => ({
  pk,
  sk,
  released_at: at,
  [TTL_ATTRIBUTE]: endAfter(new Date(at), RELEASED_SECONDS),
});

/** Nobody holds the claim, and it was released before this time. */
export const isFreeAt = (at: number) => or(ABSENT, isBelow('released_at', at));

/** The time at which the name was released; undefined while an object holds it. */
export const releaseIn = (claim: Item | undefined): number | undefined =>
  typeof claim?.['released_at'] === 'number' ? claim['released_at'] : undefined;

/**
 * The ids of the objects that hold these claims, by the partition of the claim; claims that nobody holds are left out.
 * One round of strongly consistent batch reads.
 */
export async function claimOwners(table: Table, claims: readonly Key[]): Promise<Map<string, string>> {
  const distinct = new Map(claims.map((claim) => [claim.pk, claim]));
  const items = await readItems(table, [...distinct.values()]);
  return new Map(
    items.flatMap((item): [string, string][] => {
      const { pk, owner_id: owner } = z.parse(claimSchema, item);
      return owner === undefined ? [] : [[pk, owner]];
    }),
  );
}
