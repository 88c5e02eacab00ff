/** `size` bytes from a cryptographic source: `randomBytes` of node:crypto in production, a fixed sequence in tests. */
export type RandomBytes = (size: number) => Uint8Array;

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Draws `length` characters of an alphabet, each independent and equally likely. Calls `randomBytes` repeatedly, each time
 * for the number of missing characters, until the text is complete.
 *
 * @param symbols at most 256.
 */
export function draw(length: number, symbols: string, randomBytes: RandomBytes): string {
  // Bytes from here on are discarded: `%` would give the first symbols a better chance than the others.
  const fairBytes = 256 - (256 % symbols.length);
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      if (byte < fairBytes) text += symbols.charAt(byte % symbols.length);
    }
  }
  return text;
}

/** Draws `length` characters of `0-9A-Za-z`: log2(62) = 5.954 bits each. */
export const drawBase62 = (length: number, randomBytes: RandomBytes): string => draw(length, alphabet, randomBytes);
