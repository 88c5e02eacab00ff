import { ApiError } from '../../../shared/core/errors.ts';
import type { Field } from '../declarations/field.ts';
import { firstViolation } from './errors.ts';

/** Does the work; violations of our rules become the error of PMM for the first of them. */
export function inWordsOf<Result>(
  rules: { fields: readonly Field[]; subject: string; use: 'add' | 'change' },
  work: () => Result,
): Result {
  try {
    return work();
  } catch (error) {
    const isViolation =
      error instanceof ApiError && error.kind === 'invalidArgument' && error.details.some(({ field }) => field !== '');
    throw isViolation ? firstViolation(error.details, rules.fields, rules) : error;
  }
}
