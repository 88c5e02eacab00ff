import { createHash } from 'node:crypto';
import { ABSENT } from '../../../shared/db/conditions.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { TTL_ATTRIBUTE, usedProofKey } from '../table/keys.ts';

/**
 * Marks a proof of identity as used, unless it was used before.
 *
 * @param proof it is stored as a digest only.
 * @param until the end of the proof, in seconds since 1970: the mark is kept until then.
 */
export function useOnceStep(proof: readonly string[], until: number, onReuse: () => Error): TransactItem {
  const digest = createHash('sha256').update(JSON.stringify(proof)).digest('hex');
  return { put: { ...usedProofKey(digest), [TTL_ATTRIBUTE]: until }, condition: ABSENT, onConditionFailed: onReuse };
}
