import { randomBytes } from 'node:crypto';

/** A UUID of version 7 (RFC 9562): its first 48 bits are the time. */
export function newInstanceUid(now: Date): Uint8Array {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now.getTime(), 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return bytes;
}
