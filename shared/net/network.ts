/** An IP address as a number, in 32 or 128 bits. */
export interface IpAddress {
  bits: 32 | 128;
  value: bigint;
}

/** The addresses that begin with the same `prefix` bits. */
export interface Network extends IpAddress {
  prefix: number;
}

const inGroups = (groups: readonly number[], bits: bigint) =>
  groups.reduce((value, group) => (value << bits) | BigInt(group), 0n);

/** @param text in the one spelling that the URL standard has: hexadecimal groups, at most one gap of zeros. */
function parseIpv6(text: string): bigint {
  const [head = [], tail = []] = text
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':').map((group) => Number.parseInt(group, 16))));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => 0);
  return inGroups([...head, ...zeros, ...tail], 16n);
}

/**
 * Reads an IP address in any spelling that programs know: `127.1`, `0x7f.1`, `2130706433` and `0177.0.0.1` are 127.0.0.1.
 * The standard parser of URLs does that; it exists in Node and in browsers, where `node:net` does not.
 *
 * @returns undefined for what is no IP address, such as a host name.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  const isIpv6 = text.includes(':');
  if (isIpv6 ? !/^[0-9a-fA-F:.]+$/.test(text) : !/^[\p{L}\p{N}.\u3002\uff0e\uff61]+$/u.test(text)) return undefined;
  let host: string;
  try {
    host = new URL(`http://${isIpv6 ? `[${text}]` : text}/`).hostname;
  } catch {
    return undefined;
  }
  if (isIpv6) return { bits: 128, value: parseIpv6(host.slice(1, -1)) };
  if (!/^[0-9]+(\.[0-9]+){3}$/.test(host)) return undefined;
  return { bits: 32, value: inGroups(host.split('.').map(Number), 8n) };
}

/** Reads `10.0.0.0/8`, or an address alone as the network of this address. Undefined for anything else. */
export function parseNetwork(text: string): Network | undefined {
  const [, address = '', given] = /^([^/]+)(?:\/([0-9]{1,3}))?$/.exec(text) ?? [];
  const ip = parseIpAddress(address);
  if (ip === undefined) return undefined;
  const prefix = given === undefined ? ip.bits : Number(given);
  return prefix <= ip.bits ? { ...ip, prefix } : undefined;
}

export function isInNetwork(ip: IpAddress, { bits, value, prefix }: Network): boolean {
  const rest = BigInt(bits - prefix);
  return ip.bits === bits && ip.value >> rest === value >> rest;
}

/** Networks from a table of this service: one that cannot be read is a mistake in it. */
export function networks(...texts: string[]): Network[] {
  return texts.map((text) => {
    const network = parseNetwork(text);
    if (network === undefined) throw new Error(`not a network: ${text}`);
    return network;
  });
}
