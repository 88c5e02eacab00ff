import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { HttpContract } from './http-contract.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import type { Violation } from '../core/errors.ts';
import { headerValues } from './header-values.ts';
import { IDEMPOTENCY_KEY } from './idempotency-key.ts';

/** A request that takes effect once, however often it is sent. */
export interface Idempotency {
  /** Hash of the Idempotency-Key, hex. */
  keyHash: string;
  /** Hash of the request, hex: a repeated request with the same key must have the same. */
  requestHash: string;
  /** The owner of the key: the same key of another caller is another key. */
  callerId: string;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * The Idempotency-Key of a request, if it has one, and its violations. An operation that changes something but does not
 * support the header refuses it, because the sender relies on a repetition without a second effect. A GET ignores it.
 */
export function idempotencyKeyIn(
  { idempotent, method }: HttpContract,
  event: APIGatewayProxyEvent,
): { key: string | undefined; wrong: Violation[] } {
  const [key, ...more] = headerValues(event, IDEMPOTENCY_KEY.name);
  const field = IDEMPOTENCY_KEY.name;
  if (idempotent !== true) {
    if (key === undefined || method === 'GET') return { key: undefined, wrong: [] };
    return {
      key: undefined,
      wrong: [{ field, reason: 'not_allowed', message: 'This operation does not support it.' }],
    };
  }
  if (more.length > 0) return { key, wrong: [{ field, reason: 'duplicate', message: 'Given more than once.' }] };
  if (key === undefined || IDEMPOTENCY_KEY.pattern.test(key)) return { key, wrong: [] };
  const message = `Must be 1 to ${IDEMPOTENCY_KEY.maxLength} visible ASCII characters.`;
  return { key, wrong: [{ field, reason: 'invalid_format', message }] };
}

/** @param body as it was sent, before default values are added: a later version may have other defaults. */
export function idempotencyOf(
  { method, path }: HttpContract,
  { key, callerId, ...sent }: { key: string; callerId: string; params: unknown; query: unknown; body: unknown },
): Idempotency {
  return { callerId, keyHash: sha256(key), requestHash: sha256(canonicalJson({ method, path, ...sent })) };
}
