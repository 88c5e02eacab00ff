import type { Violation } from '../core/errors.ts';

/** The violation of a part of a URL that cannot be decoded. */
export const notEncoded = (field: string): Violation => ({
  field,
  reason: 'invalid_format',
  message: 'Is not percent-encoded UTF-8.',
});
