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

/** @param text in the canonical spelling of the URL standard: hexadecimal groups, at most one gap of zeros. */
function parseIpv6(text: string): bigint {
  const [head = [], tail = []] = text
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':').map((group) => Number.parseInt(group, 16))));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => 0);
  return inGroups([...head, ...zeros, ...tail], 16n);
}

const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';

/** An IPv4 address in its usual spelling, as most are: the URL parser takes four times as long. */
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);

/** Whether the text is an IPv4 address in its usual spelling. */
export const isIpv4 = (text: string): boolean => IPV4.test(text);

/** Only such a text may be an IPv4 address in another spelling. Its last part is a number. */
const ENDS_IN_NUMBER = /^[0-9A-Za-z.]*?(?<![0-9A-Za-z])(?:[0-9]+|0[xX][0-9a-fA-F]*)\.?$/;

const ipv4Of = (text: string): IpAddress => ({ bits: 32, value: inGroups(text.split('.').map(Number), 8n) });

/**
 * Parses an IP address in any spelling that programs accept: `127.1`, `0x7f.1`, `2130706433` and `0177.0.0.1` are
 * 127.0.0.1. Uses the URL parser, which Node and browsers have; `node:net` exists in Node only.
 *
 * @returns undefined for text that is no IP address, such as a host name.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (isIpv4(text)) return ipv4Of(text);
  const isIpv6 = text.includes(':');
  if (!(isIpv6 ? /^[0-9a-fA-F:.]+$/ : ENDS_IN_NUMBER).test(text)) return undefined;
  let host: string;
  try {
    host = new URL(`http://${isIpv6 ? `[${text}]` : text}/`).hostname;
  } catch {
    return undefined;
  }
  if (isIpv6) return { bits: 128, value: parseIpv6(host.slice(1, -1)) };
  if (!/^[0-9]+(\.[0-9]+){3}$/.test(host)) return undefined;
  return ipv4Of(host);
}

/** Parses `10.0.0.0/8`, or a single address as a network of one address; undefined for other text. */
export function parseNetwork(text: string): Network | undefined {
  const [, address = '', given] = /^([^/]+)(?:\/([0-9]{1,3}))?$/.exec(text) ?? [];
  const ip = parseIpAddress(address);
  if (ip === undefined) return undefined;
  const prefix = given === undefined ? ip.bits : Number(given);
  return prefix <= ip.bits ? { ...ip, prefix } : undefined;
}

export function isInNetwork(ip: IpAddress, { bits, value, prefix }: Network): boolean {
  if (ip.bits !== bits) return false;
  const rest = BigInt(bits - prefix);
  return ip.value >> rest === value >> rest;
}

/** Networks from a constant of this service; throws for an invalid one, which is a programming error. */
export function networks(...texts: string[]): Network[] {
  return texts.map((text) => {
    const network = parseNetwork(text);
    if (network === undefined) throw new Error(`not a network: ${text}`);
    return network;
  });
}
