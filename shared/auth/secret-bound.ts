import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { newApiKeySecret } from './api-key-text.ts';
import type { RandomBytes } from './base62.ts';

const SALT_BYTES = 16;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** Enough for one secret, of which a byte in 32 is discarded. */
const STREAM_BYTES = 1024;

const derive = (secret: string, salt: Uint8Array, purpose: string, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, purpose, length));

/**
 * Encrypts a text with a key that only the holder of the secret can derive: HKDF with SHA-256, then AES-256-GCM.
 *
 * @param context of the text, such as the id of its owner. Another context does not open it.
 * @returns salt, initialisation vector, tag and ciphertext in base64url.
 */
export function sealText(text: string, secret: string, context: string, randomBytes: RandomBytes): string {
  const [salt, iv] = [randomBytes(SALT_BYTES), randomBytes(IV_BYTES)];
  const cipher = createCipheriv('aes-256-gcm', derive(secret, salt, 'sealed text v1', KEY_BYTES), iv);
  cipher.setAAD(Buffer.from(context));
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([salt, iv, cipher.getAuthTag(), encrypted]).toString('base64url');
}

/** The text that `sealText` encrypted; undefined for another secret or context, or an altered text. */
export function openSealedText(sealed: string, secret: string, context: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  const [ivAt, tagAt, textAt] = [SALT_BYTES, SALT_BYTES + IV_BYTES, SALT_BYTES + IV_BYTES + TAG_BYTES];
  if (bytes.length < textAt) return undefined;
  const key = derive(secret, bytes.subarray(0, ivAt), 'sealed text v1', KEY_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(ivAt, tagAt), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(tagAt, textAt));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(textAt)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/**
 * The secret that follows another one. Equal for equal parameters: concurrent and repeated renewals of a session return
 * the same secret, which is stored nowhere.
 */
export function nextApiKeySecret(secret: string, salt: string): string {
  const stream = derive(secret, Buffer.from(salt), 'next secret v1', STREAM_BYTES);
  let used = 0;
  return newApiKeySecret((size) => stream.subarray(used, (used += size)));
}
