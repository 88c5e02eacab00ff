import type { ApiError } from '../../../shared/core/errors.ts';
import { Refusal } from '../../contract/refusal.ts';
import { errorMessage, GrpcError, REFUSED_ROLE, statuses, wordsOf } from './errors.ts';
import { type Fields, withoutPrefix } from './input.ts';
import type { Form } from './wire-codec.ts';

/** Ids in error messages have the prefix that the request has. */
function withGivenIds(message: string, input: Fields): string {
  return Object.values(input).reduce<string>((text, value) => {
    if (typeof value !== 'string') return text;
    return text.replace(`with ID "${withoutPrefix(value)}"`, () => `with ID "${value}"`);
  }, message);
}

function statusOf(error: ApiError) {
  if (error instanceof GrpcError) return error.status;
  return error instanceof Refusal && error.refusal === 'role' ? REFUSED_ROLE : statuses[error.kind];
}

/** The form of PMM's gateway. */
export const pmmForm: Form = {
  pathOf: (path) => path,
  textOf: (message) => JSON.stringify(message, null, 2),
  refusalOf: (error, { route, input }) => {
    const { http, code } = statusOf(error);
    return { http, message: errorMessage(code, wordsOf(withGivenIds(error.message, input), route?.generation ?? 3)) };
  },
};
