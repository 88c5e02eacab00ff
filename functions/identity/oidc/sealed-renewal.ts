import * as z from 'zod/mini';
import type { RandomBytes } from '../../../shared/auth/base62.ts';
import { openSealedText, sealText } from '../../../shared/auth/secret-bound.ts';

const contentSchema = z.object({
  refresh_token: z.string(),
  /** When the provider last confirmed the person, and when the session ends at the latest; seconds since 1970. */
  verified_at: z.int(),
  ends_at: z.int(),
  /** The last renewal was without the provider, which did not answer. */
  unconfirmed: z.optional(z.literal(true)),
});

/** The part of a renewal that only the holder of the key of the session can read. */
export type RenewalContent = z.output<typeof contentSchema>;

export const sealRenewal = (content: RenewalContent, key: string, sessionId: string, randomBytes: RandomBytes) =>
  sealText(JSON.stringify(content), key, sessionId, randomBytes);

/** Undefined for another key. */
export function openRenewal(sealed: string, key: string, sessionId: string): RenewalContent | undefined {
  const text = openSealedText(sealed, key, sessionId);
  return text === undefined ? undefined : z.parse(contentSchema, JSON.parse(text));
}
