import { namedMatch } from '../core/text.ts';
import { lazily } from '../core/lazily.ts';
import { type IpAddress, isInNetwork, isIpv4, type Network, networks, parseIpAddress } from './network.ts';

/** Kinds of addresses that lead a client to another host than the one that stated the address. */
export type SpecialAddress = 'loopback' | 'link-local' | 'unspecified' | 'multicast' | 'reserved' | 'cloud service';

// The tables are also those of the Terraform provider (tools/terraform-rules.ts): their patterns have no lookarounds.

/** https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry */
export const SPECIAL_NETWORKS: readonly (readonly [SpecialAddress, readonly string[]])[] = [
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['link-local', ['169.254.0.0/16', 'fe80::/10']],
  ['unspecified', ['0.0.0.0/8', '::/128']],
  ['multicast', ['224.0.0.0/4', 'ff00::/8']],
  ['reserved', ['240.0.0.0/4']],
  // Metadata and other services of the host's own cloud that are not link-local: Amazon, Google and Scaleway (IPv6),
  // Alibaba, Azure, Oracle.
  [
    'cloud service',
    [
      ...['fd00:ec2::/32', 'fd20:ce::254/128', 'fd00:42::42/128'],
      ...['100.100.100.200/32', '168.63.129.16/32', '192.0.0.192/32'],
    ],
  ],
];

const specialNetworks = lazily(() => SPECIAL_NETWORKS.map(([kind, texts]) => [kind, networks(...texts)] as const));

/** Names that every host resolves to such an address without DNS. */
export const SPECIAL_NAMES: readonly (readonly [SpecialAddress, RegExp])[] = [
  ['loopback', /^((.+\.)?localhost|localhost[46]?\.localdomain[46]?|localhost[46]|ip6-(localhost|loopback))$/],
  ['cloud service', /^(metadata(\.goog|\.google\.internal|\.tencentyun\.com)?|instance-data(\.ec2\.internal)?)$/],
];

const ipv4 = (value: bigint): IpAddress => ({ bits: 32, value: value & 0xffff_ffffn });

/**
 * The IPv4 address behind a prefix of 48, 56 or 64 bits (RFC 6052, section 2.2), where bits 64 to 71 are zero, or behind
 * 96 bits. The prefix of a local translator is unknown: each one that leaves zeros behind the address counts, unless its
 * address would begin with a zero, which no translator forwards.
 */
function locallyTranslated(value: bigint): bigint[] {
  const without = ((value >> 64n) << 56n) | (value & 0xff_ffff_ffff_ffffn);
  const short = [40n, 32n, 24n].filter((shift) => (without & ((1n << shift) - 1n)) === 0n);
  return [...short.map((shift) => without >> shift), value].filter((candidate) => (candidate & 0xff00_0000n) !== 0n);
}

interface Embedding {
  network: string;
  /** The IPv4 address ends this number of bits before the end. */
  shift: number;
  /** Its bits are inverted. */
  isInverted?: true;
}

/** IPv6 networks that embed IPv4 addresses at a fixed place. */
export const EMBEDDING: readonly Embedding[] = [
  // Mapped, compatible (RFC 4291); translated (RFC 2765, 6052).
  { network: '::ffff:0:0/96', shift: 0 },
  { network: '::/96', shift: 0 },
  { network: '::ffff:0:0:0/96', shift: 0 },
  { network: '64:ff9b::/96', shift: 0 },
  // 6to4 (RFC 3056), and Teredo (RFC 4380) with its server and its client.
  { network: '2002::/16', shift: 80 },
  { network: '2001::/32', shift: 64 },
  { network: '2001::/32', shift: 0, isInverted: true },
];

/** For translators of a local prefix (RFC 8215). */
export const LOCAL_TRANSLATION = '64:ff9b:1::/48';

const embedding = lazily((): readonly (readonly [Network, (value: bigint) => bigint[]])[] => {
  const fixed = EMBEDDING.map(({ network, shift, isInverted }) => {
    const where = (value: bigint) => [(isInverted === true ? ~value : value) >> BigInt(shift)];
    return [network, where] as const;
  });
  const all = [...fixed, [LOCAL_TRANSLATION, locallyTranslated] as const];
  return all.flatMap(([text, where]) => networks(text).map((network) => [network, where] as const));
});

/** An interface identifier of ISATAP (RFC 5214), whatever its network; it ends with an IPv4 address. */
const isIsatap = (value: bigint) => ((value >> 32n) & 0xfdff_ffffn) === 0x5efen;

/** The addresses that an address can mean: itself, and the IPv4 addresses embedded in it. */
function meanings(ip: IpAddress): IpAddress[] {
  // The unspecified address and the loopback address embed nothing.
  if (ip.bits === 32 || ip.value <= 1n) return [ip];
  const embedded = embedding().flatMap(([network, where]) => (isInNetwork(ip, network) ? where(ip.value) : []));
  return [ip, ...[...embedded, ...(isIsatap(ip.value) ? [ip.value] : [])].map(ipv4)];
}

/** Characters of names in ASCII, and of IP addresses. */
const PLAIN = /^[A-Za-z0-9._:-]*$/;

/**
 * A character that no host has. Invisible characters are among the marks and letters of Unicode: URL parsers, and so
 * scrapers, omit them. Created on demand, because V8 is slow to load properties of Unicode.
 */
const foreign = lazily(() => new RegExp(String.raw`\p{Default_Ignorable_Code_Point}|[^\p{L}\p{M}0-9._:\-]`, 'u'));

/** The first character that no host has, with its code point and position; undefined if there is none. */
export const foreignCharacter = (text: string): string | undefined =>
  PLAIN.test(text) ? undefined : namedMatch(text, foreign());

/** The host as a URL parser, and so a scraper, reads it: a name in ASCII and lower case. Undefined if it refuses it. */
function asParsed(text: string): string | undefined {
  if (PLAIN.test(text)) return text.toLowerCase();
  // Normalised first, because parsers differ in the version of Unicode.
  const normal = text.normalize('NFKC');
  return foreignCharacter(normal) === undefined && URL.canParse(`http://${normal}/`)
    ? new URL(`http://${normal}/`).hostname
    : undefined;
}

export interface Host {
  /** Undefined for a name. */
  ip: IpAddress | undefined;
  special: SpecialAddress | undefined;
}

/**
 * Parses the host of an address: no port, user, path, brackets or zone.
 *
 * @returns undefined for an invalid host. A name may resolve to any address: only names that need no DNS are
 *   recognised.
 */
export function parseHost(text: string): Host | undefined {
  if (text === '' || foreignCharacter(text) !== undefined) return undefined;
  const parsed = asParsed(text);
  if (parsed === undefined) return undefined;
  const ip = parseIpAddress(parsed);
  if (ip === undefined) {
    if (parsed.includes(':')) return undefined;
    const name = parsed.replace(/\.+$/, '');
    return { ip, special: SPECIAL_NAMES.find(([, names]) => names.test(name))?.[0] };
  }
  const possible = meanings(ip);
  const special = specialNetworks().find(([, all]) =>
    all.some((network) => possible.some((meaning) => isInNetwork(meaning, network))),
  );
  return { ip, special: special?.[0] };
}

/** RFC 1035, section 2.3.4: 255 bytes with the lengths of the labels and the root. */
const MAX_NAME = 253;
export const MAX_LABEL = 63;

/** Faults of a name in lower case and without a dot at its end, with the remedy. */
export const HOST_NAME_FAULTS: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\.)(?:[.-]|$)/, 'A dot or hyphen begins it, or follows a dot: remove it.'],
  // A URL parser takes it for an IPv4 address. https://url.spec.whatwg.org/#ends-in-a-number-checker
  [/(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)$/, 'It ends in a number: write an IPv4 address such as 10.0.0.1, or a name.'],
  [
    new RegExp(`^.{${MAX_NAME + 1}}|[^.]{${MAX_LABEL + 1}}`),
    `It has more than ${MAX_NAME} characters, or ${MAX_LABEL} between dots: shorten it.`,
  ],
];

/**
 * Why no host has this name, with the remedy: the DNS has no such name, or URL parsers refuse it or read it as another
 * host. Undefined for a name, also with a dot at its end, and for an IP address; an IPv4 address in its usual spelling only.
 *
 * @param text that `parseHost` accepts.
 */
export function hostFault(text: string): string | undefined {
  const ascii = asParsed(text);
  if (ascii === undefined || ascii.includes(':') || isIpv4(text)) return undefined;
  const name = ascii.replace(/\.$/, '');
  const fault = HOST_NAME_FAULTS.find(([pattern]) => pattern.test(name));
  if (fault !== undefined) return fault[1];
  // Node 24 checks Punycode only beside a character that is not ASCII.
  return /(?:^|\.)xn--/.test(name) && !URL.canParse(`http://\u00fc.${name}/`)
    ? 'It is no valid Punycode: write it in its own letters.'
    : undefined;
}

const mapped = lazily(() => networks('::ffff:0:0/96'));

/** A mapped IPv4 address is that address; others are themselves. */
const unmapped = (ip: IpAddress) => (mapped().some((network) => isInNetwork(ip, network)) ? ipv4(ip.value) : ip);

/** Whether two addresses are the same in any spelling: a mapped IPv4 address equals that address. */
export function sameAddress(left: IpAddress, right: IpAddress): boolean {
  const [leftBits, other] = [unmapped(left), unmapped(right)];
  return leftBits.bits === other.bits && leftBits.value === other.value;
}
