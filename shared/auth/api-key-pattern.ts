/** What every key starts with, so that people and secret scanners know one on sight. */
export const brand = 'minv';

// 43 x log2(62) = 256 bits: too many to guess, which is what lets a single SHA-256 protect the key at rest.
export const secretLength = 43;

/** Source of the regular expression that finds keys in other text, for secret scanners (RE2 and PCRE read it alike). */
export const apiKeyPattern = `${brand}_[0-9A-Za-z]{${secretLength}}_[0-9a-f]{8}`;

/**
 * The part of a key that lists and logs may show, `minv_aB3x`: enough for its owner to tell keys apart, and it leaves
 * 232 bits unknown. `text` must be a key: of anything else this returns the first 9 characters, secret or not.
 */
export function apiKeyPrefix(text: string): string {
  return text.slice(0, brand.length + 1 + 4);
}
