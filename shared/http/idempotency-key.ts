/**
 * The header that identifies a repeated request:
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
 */
export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  maxLength: 255,
  pattern: /^[\x21-\x7e]{1,255}$/,
  /** How long the reply is kept for repeated requests. */
  seconds: 24 * 60 * 60,
} as const;
