import { createHash } from 'node:crypto';
import { ABSENT } from '../../../shared/db/conditions.ts';
import { retryOnContention } from '../../../shared/db/contention.ts';
import { writeItem } from '../../../shared/db/item-writes.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { TTL_ATTRIBUTE, usedProofKey } from '../table/keys.ts';
import { readItem } from '../table/read.ts';

const keyOf = (proof: readonly string[]) =>
  usedProofKey(createHash('sha256').update(JSON.stringify(proof)).digest('hex'));

/**
 * The write that marks a proof of identity as used, unless it was used before.
 *
 * @param proof it is stored as a digest only.
 * @param until in seconds since 1970: the mark is kept until then.
 */
function markOf(proof: readonly string[], until: number) {
  return { put: { ...keyOf(proof), [TTL_ATTRIBUTE]: until }, condition: ABSENT };
}

/** Whether a proof was used before. One strongly consistent read. */
export const isProofUsed = async (table: Table, proof: readonly string[]): Promise<boolean> =>
  (await readItem(table, keyOf(proof))) !== undefined;

/** Marks a proof that is checked without a request, in the transaction of the log-in. Parameters as of `markOf`. */
export const useOnceStep = (proof: readonly string[], until: number, onReuse: () => Error): TransactItem => ({
  ...markOf(proof, until),
  onConditionFailed: onReuse,
});

/**
 * Marks a proof before it is sent to its provider. One conditional write. Parameters as of `markOf`.
 *
 * @returns false when it was used before.
 */
export async function useProofOnce(table: Table, proof: readonly string[], until: number): Promise<boolean> {
  const { refusal } = await retryOnContention(table, () => writeItem(table, markOf(proof, until)));
  return refusal === undefined;
}
