/** What every key starts with, so that people and secret scanners know one on sight. */
export const brand = 'minv';

/** What comes between the brand and the secret of an enrolment token, so that it is never taken for a key. */
export const enrolmentMark = 'enrol_';

// 43 x log2(62) = 256 bits: too many to guess, which is what lets a single SHA-256 protect the key at rest.
export const secretLength = 43;

const tail = `[0-9A-Za-z]{${secretLength}}_[0-9a-f]{8}`;

/** Source of the regular expression that finds keys in other text (RE2 and PCRE read it alike). */
export const apiKeyPattern = `${brand}_${tail}`;

export const enrolmentTokenPattern = `${brand}_${enrolmentMark}${tail}`;

/** Finds keys and enrolment tokens: for secret scanners, and for all that must not let one through. */
export const secretPattern = `${brand}_(?:${enrolmentMark})?${tail}`;

/**
 * The part of a key or token that lists and logs may show, `minv_aB3x`, `minv_enrol_aB3x`: enough for its owner to tell
 * them apart, and it leaves 232 bits unknown. `text` must be one: of anything else this returns the first characters,
 * secret or not.
 */
export function apiKeyPrefix(text: string): string {
  const start = `${brand}_${enrolmentMark}`;
  return text.slice(0, (text.startsWith(start) ? start.length : brand.length + 1) + 4);
}
