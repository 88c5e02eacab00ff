import { lazily } from '../lazily.ts';
import { type IpAddress, isInNetwork, type Network, networks, parseIpAddress } from './network.ts';

/** Kinds of addresses that lead a client to another host than the one that stated the address. */
export type SpecialAddress = 'loopback' | 'link-local' | 'unspecified' | 'multicast' | 'reserved' | 'cloud service';

/** https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry */
const specialNetworks = lazily((): readonly (readonly [SpecialAddress, readonly Network[]])[] => [
  ['loopback', networks('127.0.0.0/8', '::1')],
  ['link-local', networks('169.254.0.0/16', 'fe80::/10')],
  ['unspecified', networks('0.0.0.0/8', '::')],
  ['multicast', networks('224.0.0.0/4', 'ff00::/8')],
  ['reserved', networks('240.0.0.0/4')],
  // Metadata and other services of the host's own cloud that are not link-local: Amazon (IPv6), Alibaba, Azure.
  ['cloud service', networks('fd00:ec2::/32', '100.100.100.200', '168.63.129.16')],
]);

/** Names that every host resolves to such an address without DNS. */
const specialNames: readonly (readonly [SpecialAddress, RegExp])[] = [
  ['loopback', /^((.+\.)?localhost|localhost[46]?\.localdomain[46]?|localhost[46]|ip6-(localhost|loopback))$/],
  ['cloud service', /^(metadata(\.google\.internal)?|instance-data(\.ec2\.internal)?)$/],
];

/**
 * IPv6 networks that embed an IPv4 address, with its position: mapped, compatible, translated (RFC 6052), 6to4 (RFC
 * 3056).
 */
const embedding = lazily(() =>
  networks('::ffff:0:0/96', '::/96', '64:ff9b::/96', '2002::/16').map((network): readonly [Network, bigint] => [
    network,
    network.prefix === 16 ? 80n : 0n,
  ]),
);

/** The addresses that an address can mean: itself, and the IPv4 address embedded in it. */
function meanings(ip: IpAddress): IpAddress[] {
  if (ip.bits === 32) return [ip];
  return [
    ip,
    ...embedding().flatMap(([network, shift]): IpAddress[] =>
      isInNetwork(ip, network) && ip.value > 1n ? [{ bits: 32, value: (ip.value >> shift) & 0xffff_ffffn }] : [],
    ),
  ];
}

/** A host as in the address of a URL: no port, user, path or brackets. An IPv6 address may have a zone. */
const HOST = /^(?:[^\s/?#@\\[\]%:]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*(?:%[\w.-]+)?)$/;

export interface Host {
  /** Undefined for a name. */
  ip: IpAddress | undefined;
  special: SpecialAddress | undefined;
}

/**
 * Parses the host of an address.
 *
 * @returns undefined for an invalid host. A name may resolve to any address: only names that need no DNS are
 *   recognised.
 */
export function parseHost(text: string): Host | undefined {
  if (!HOST.test(text)) return undefined;
  const ip = parseIpAddress(text.replace(/%.*$/, ''));
  if (ip === undefined) {
    if (text.includes(':')) return undefined;
    const name = text.normalize('NFKC').toLowerCase().replace(/\.$/, '');
    return { ip, special: specialNames.find(([, names]) => names.test(name))?.[0] };
  }
  const possible = meanings(ip);
  const found = specialNetworks().find(([, all]) =>
    all.some((network) => possible.some((meaning) => isInNetwork(meaning, network))),
  );
  return { ip, special: found?.[0] };
}

/** Whether two addresses are the same in any spelling: a mapped IPv4 address equals that address. */
export function sameAddress(left: IpAddress, right: IpAddress): boolean {
  const [one, other] = [left, right].map((ip) => meanings(ip).at(-1));
  return one?.bits === other?.bits && one?.value === other?.value;
}
