import { ApiError } from '../../../shared/core/errors.ts';
import { MAX_REVISION } from '../../../shared/core/revision.ts';

export function newRecord(now: Date) {
  const time = now.toISOString();
  return { created_at: time, updated_at: time, revision: 1 };
}

/** The later of two RFC 3339 times, unchanged. */
const later = (left: string, right: string) => (Date.parse(left) < Date.parse(right) ? right : left);

/**
 * The record of a changed object. `updated_at` never decreases, even when the clocks of two functions differ: an import
 * would refuse such a record.
 *
 * @throws ApiError `failedPrecondition` at the highest revision, which only an import can give an object: an import would
 *   refuse the next one.
 */
export function nextRecord({ revision, updated_at: last }: { revision: number; updated_at: string }, now: Date) {
  if (revision >= MAX_REVISION)
    throw new ApiError('failedPrecondition', 'The object has the highest revision. Remove it and add it again.');
  return { revision: revision + 1, updated_at: later(last, now.toISOString()) };
}
