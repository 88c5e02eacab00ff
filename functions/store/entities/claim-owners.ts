import * as z from 'zod/mini';
import type { Item, Key, Table } from '../../../shared/db/table.ts';
import { readItems } from '../table/read.ts';

const claimSchema = z.object({ pk: z.string(), owner_id: z.string() });

/** The id of the object that holds a claim. */
export const claimant = (claim: Item) => z.parse(claimSchema, claim).owner_id;

/**
 * The ids of the objects that hold these claims, by the partition of the claim; claims that nobody holds are left out.
 * One round of strongly consistent batch reads.
 */
export async function claimOwners(table: Table, claims: readonly Key[]): Promise<Map<string, string>> {
  const distinct = new Map(claims.map((claim) => [claim.pk, claim]));
  const items = await readItems(table, [...distinct.values()]);
  return new Map(items.map((item) => [z.parse(claimSchema, item).pk, claimant(item)]));
}
