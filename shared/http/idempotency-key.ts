/** The header by which a request is known again: https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/ */
export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  maxLength: 255,
  pattern: /^[\x21-\x7e]{1,255}$/,
  /** How long an answer is kept for repetitions. */
  seconds: 24 * 60 * 60,
} as const;
