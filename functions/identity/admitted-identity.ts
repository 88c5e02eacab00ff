import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { characters } from '../../shared/core/text.ts';
import { LogInRefusal } from '../contract/refusal.ts';
import { type Claims, countedClaims } from '../domain/access/grant.ts';
import type { IdentityProvider } from '../domain/fields/identity-providers.ts';

// Everything that a provider says about a program or a person enters here, after its signature was checked: a signature
// says who wrote the claims, and neither that they are meant for this service nor that they can be stored and read.

/** Longer than any subject of the known providers. */
const MAX_SUBJECT = 1024;

/** The end of the year 9999. The table has no larger times. */
const MAX_TIME = 253_402_300_799;

/** Whom a token must be for. */
export interface Addressee {
  audience: string;
  /** Whether the audience is a client of the provider, to which alone the token may have been issued. */
  isClient: boolean;
}

/**
 * Checks that the token is for this service alone: every other service of its audience, or the client that it was issued
 * to, could present it here.
 *
 * @throws LogInRefusal
 */
export function checkAddressee({ aud, azp }: Claims, { audience, isClient }: Addressee): void {
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (audiences.length !== 1 || audiences[0] !== audience) throw new LogInRefusal('wrong_audience');
  // Of a program it is the program itself.
  if (isClient && azp !== undefined && azp !== audience) throw new LogInRefusal('wrong_audience');
}

const isSubject = (sub: unknown): sub is string =>
  typeof sub === 'string' && sub !== '' && characters(sub) <= MAX_SUBJECT && sub.isWellFormed();

const isTime = (time: unknown) =>
  time === undefined || (typeof time === 'number' && Math.abs(time) <= MAX_TIME && !Number.isNaN(time));

const timesSchema = z.looseObject({
  claims: z.looseObject({ exp: z.number(), iat: z.number(), nbf: z.optional(z.number()) }),
});

/**
 * Whether the times of a token fit each other, so that only a difference of the clocks can be the reason of a refusal.
 *
 * @param cause of the error of the library, with the claims of the token.
 */
export function hasPossibleTimes(cause: unknown): boolean {
  const { exp = 0, iat = 0, nbf = iat } = z.safeParse(timesSchema, cause).data?.claims ?? {};
  return [exp, iat, nbf].every(isTime) && iat < exp && nbf < exp;
}

/**
 * The claims of an identity that count, of a token or of a reply of the UserInfo endpoint.
 *
 * @throws LogInRefusal for a subject or a time that cannot be stored.
 */
export function admittedClaims(claims: Claims, provider: IdentityProvider): Claims {
  const { sub, exp, iat, nbf } = claims;
  if (!isSubject(sub) || ![exp, iat, nbf].every(isTime)) throw new LogInRefusal('invalid_identity');
  return countedClaims(claims, provider);
}

const READABLE = /^[\p{L}\p{N}\p{P}\p{S} ]+$/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

/** Whether a terminal and an auditor read this text as it is: no line breaks, controls, marks of direction. */
const isReadable = (text: string, most: number): boolean =>
  characters(text) <= most && READABLE.test(text) && !INVISIBLE.test(text);

/** The end of a name that was shortened, or in which characters were replaced. */
const DIGEST_END = /~[0-9a-f]{32}$/;

/**
 * A readable name for an identity of a provider: `<provider>/<text>`. Different texts have different names: one that is
 * too long or unreadable gets a digest, and so does one that looks as if it had one.
 */
export function identityName({ name: provider }: Pick<IdentityProvider, 'name'>, text: string, most: number): string {
  const start = `${provider}/`;
  if (isReadable(text, most - start.length) && !DIGEST_END.test(text)) return start + text;
  const end = `~${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
  const letters = Array.from(text, (letter) => (isReadable(letter, 1) ? letter : '?'));
  return start + letters.slice(0, most - start.length - end.length).join('') + end;
}

/** The first of these texts that is readable and no longer than `most`. */
export const firstReadable = (texts: readonly unknown[], most: number): string | undefined =>
  texts.find((text): text is string => typeof text === 'string' && isReadable(text, most));
