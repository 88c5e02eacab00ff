import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { apiKeyPattern, brand, secretLength } from './api-key-pattern.ts';
import { drawBase62, type RandomBytes } from './base62.ts';

const wholeKey = new RegExp(`^${apiKeyPattern}$`);

const checksumLength = 8;

/**
 * Makes a new key: `minv_<43 base62 characters>_<CRC-32 of all before the last underscore, 8 lower-case hex digits>`.
 * Every character may stand unescaped in a URL, a header, a shell word and a database key.
 */
export function newApiKeyText(randomBytes: RandomBytes): string {
  const body = `${brand}_${drawBase62(secretLength, randomBytes)}`;
  return `${body}_${checksum(body)}`;
}

/**
 * Whether the text has the form of a key, checksum included. It says nothing about whether such a key was ever issued:
 * the checksum is there to turn away typing errors and noise without a read of the table, and gives no security.
 */
export function isApiKeyText(text: string): boolean {
  return wholeKey.test(text) && text.endsWith(checksum(text.slice(0, -checksumLength - 1)));
}

/**
 * The only form in which a key is stored and looked up: SHA-256 as 64 lower-case hex digits. The tag in front keeps the
 * digest apart from any other use of SHA-256 on the same text, and names the scheme should it ever change.
 */
export function hashApiKeyText(text: string): string {
  return createHash('sha256').update(`apikey:v1:${text}`).digest('hex');
}

/** CRC-32 as in IEEE 802.3, most significant digit first. */
function checksum(text: string): string {
  return crc32(text).toString(16).padStart(checksumLength, '0');
}
