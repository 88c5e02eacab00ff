/** The first bytes of a connection behind a balancer with PROXY protocol v2. */
const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');

/** Signature, version and command, family, length. */
const FIXED_BYTES = 16;

/** The longest accepted header: addresses of IPv6, and what a balancer adds (ids of the endpoint and the VPC). */
const MAX_BYTES = 1024;

const VERSION_2 = 0x20;
const LOCAL = 0;
const PROXY = 1;
const TCP_4 = 0x11;
const TCP_6 = 0x21;

/** Bytes that are no header, or one that is not accepted. */
export class InvalidProxyHeader extends Error {}

/** A complete header. */
export interface ProxyHeader {
  /** Its length in bytes. */
  bytes: number;
  /** Address of the client; undefined: a connection of the balancer itself, for example a health check. */
  source: string | undefined;
}

const ipv4 = (bytes: Buffer) => bytes.join('.');
const ipv6 = (bytes: Buffer) =>
  Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(2 * index).toString(16)).join(':');

function sourceIn(bytes: Buffer, length: number): string {
  const family = bytes.readUInt8(13);
  if (family === TCP_4 && length >= 12) return ipv4(bytes.subarray(16, 20));
  if (family === TCP_6 && length >= 36) return ipv6(bytes.subarray(16, 32));
  throw new InvalidProxyHeader('The header of the balancer contains no address of TCP.');
}

/**
 * Reads the header at the beginning of a connection.
 * https://www.haproxy.org/download/2.9/doc/proxy-protocol.txt section 2.2
 *
 * @returns undefined while it is incomplete.
 * @throws InvalidProxyHeader as soon as it cannot be one.
 */
export function readProxyHeader(bytes: Buffer): ProxyHeader | undefined {
  const comparedLength = Math.min(bytes.length, SIGNATURE.length);
  if (!bytes.subarray(0, comparedLength).equals(SIGNATURE.subarray(0, comparedLength)))
    throw new InvalidProxyHeader('The connection does not begin with the header of the balancer.');
  if (bytes.length < FIXED_BYTES) return undefined;
  const command = bytes.readUInt8(12) - VERSION_2;
  const length = bytes.readUInt16BE(14);
  if (command !== LOCAL && command !== PROXY) throw new InvalidProxyHeader('The header has another version.');
  if (FIXED_BYTES + length > MAX_BYTES) throw new InvalidProxyHeader(`The header has ${length} bytes.`);
  const source = command === LOCAL ? undefined : sourceOnceComplete(bytes, length);
  if (bytes.length < FIXED_BYTES + length) return undefined;
  return { bytes: FIXED_BYTES + length, source };
}

const sourceOnceComplete = (bytes: Buffer, length: number) =>
  bytes.length < FIXED_BYTES + length ? undefined : sourceIn(bytes, length);
