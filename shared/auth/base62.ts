/** `size` bytes from a cryptographic source: `randomBytes` of node:crypto in production, a fixed sequence in tests. */
export type RandomBytes = (size: number) => Uint8Array;

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

// 4 x 62. Bytes from here on are discarded: `% 62` would give the first 8 symbols 5 chances in 256 and the others 4.
const fairBytes = 248;

/**
 * Draws `length` characters of `0-9A-Za-z`, each independent and equally likely: log2(62) = 5.954 bits each. Calls
 * `randomBytes` repeatedly, each time for the number of missing characters, until the text is complete.
 */
export function drawBase62(length: number, randomBytes: RandomBytes): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      if (byte < fairBytes) text += alphabet.charAt(byte % alphabet.length);
    }
  }
  return text;
}
