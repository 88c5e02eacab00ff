import * as z from 'zod/mini';
import {
  foreignCharacter,
  type Host,
  hostFault,
  parseHost,
  sameAddress,
  type SpecialAddress,
} from '../../../shared/net/host.ts';
import { isInNetwork, parseIpAddress, parseNetwork } from '../../../shared/net/network.ts';
import { newValueRule } from '../../../shared/core/new-value-rule.ts';
import { text } from '../../../shared/core/text.ts';

const MAX_ADDRESS = 255;

/** An address that was stored before the present rules. Stored addresses must remain readable. */
export const storedAddress = text({ max: MAX_ADDRESS });

/** Kinds of addresses by which no other host reaches the one that states them. */
const notForHosts = ['loopback', 'link-local', 'unspecified', 'multicast', 'reserved', 'cloud service'] as const;

/** The message for a special address of one of these kinds. */
export const refusalOf = (refused: readonly string[]) =>
  `Must not be a ${refused.slice(0, -1).join(', ')} or ${refused.at(-1) ?? ''} address.`;

export const NO_HOST =
  'Must be a host name, an IP address or an instance identifier, without a port, a user or a path.';

const hostRule = (refused: readonly SpecialAddress[]) =>
  newValueRule({ rule: 'host', refused }, (address) => {
    const foreign = foreignCharacter(address);
    if (foreign !== undefined) return `${NO_HOST} Not allowed: ${foreign}.`;
    const host = parseHost(address);
    if (host === undefined) return NO_HOST;
    if (host.special !== undefined && refused.includes(host.special)) return refusalOf(refused);
    const fault = hostFault(address);
    return fault === undefined ? undefined : `${NO_HOST} ${fault}`;
  });

/** The address at which others reach a node. A loopback address would mean a different host to each of them. */
export const nodeAddress = storedAddress.check(hostRule(notForHosts));

/**
 * The address at which a service listens. A loopback address means the node of the service: agents there connect to it.
 */
export const serviceAddress = storedAddress.check(hostRule(notForHosts.filter((kind) => kind !== 'loopback')));

/** The host of a stored address, if other hosts can connect to it. */
export function reachableHost(address: string): Host | undefined {
  const host = parseHost(address);
  return host?.special === undefined ? host : undefined;
}

export const isLoopback = (address: string): boolean => parseHost(address)?.special === 'loopback';

/** Whether an entry permits an address. An entry is an address, a network, a host name, or `*` with a domain. */
function allowsHost(entry: string, address: string): boolean {
  const ip = parseHost(address)?.ip;
  const network = parseNetwork(entry);
  if (ip !== undefined && network !== undefined)
    return isInNetwork(ip, network) || (network.prefix === network.bits && sameAddress(ip, network));
  if (ip !== undefined || network !== undefined) return false;
  const [name, allowed] = [address.toLowerCase(), entry.toLowerCase()];
  return allowed.startsWith('*') ? name.endsWith(allowed.slice(1)) : name === allowed;
}

/** The addresses that a confined caller may state: its source address, and those in its enrolment token. */
export interface AddressLimits {
  /** The source address, as the gateway saw it. */
  source: string;
  allowed: readonly string[];
}

export function mayGiveAddress({ source, allowed }: AddressLimits, address: string): boolean {
  const isSource = parseIpAddress(source) !== undefined && allowsHost(source, address);
  return isSource || allowed.some((entry) => allowsHost(entry, address));
}

const ENTRY = /^\*$|^\*\.[^*]+$|^[^*]+$/;

const allowedAddress = storedAddress.check(
  z.check(({ value, issues }) => {
    if (issues.length > 0) return;
    const name = value.replace(/^\*\.?/, '') || 'any';
    const isHost = ENTRY.test(value) && parseHost(name) !== undefined;
    const fault = hostFault(name.replace(/\/.*$/, ''));
    if (fault === undefined && (isHost || parseNetwork(value) !== undefined)) return;
    const message = `Must be an IP address, a network such as 10.0.0.0/8, a host name, or *.example.com. ${fault ?? ''}`;
    issues.push({ code: 'custom', input: value, message: message.trimEnd(), params: { reason: 'invalid_format' } });
  }),
);

/** The addresses are part of the authorizer's context, which is limited to 8 KB. */
const MAX_ALLOWED = 16;

function listOfAllowed(address: z.ZodMiniString) {
  return z.array(address).check(
    z.maxLength(MAX_ALLOWED),
    z.meta({
      description:
        'Addresses that the host may set for its node and services, besides its source address: IP addresses, networks ' +
        'such as 10.0.0.0/8, host names, *.example.com for all names in a domain, * for every name. Names are not ' +
        'resolved.',
    }),
  );
}

export const allowedAddresses = listOfAllowed(allowedAddress);

/** The same in a reply: some may be older than the present rules. */
export const storedAllowedAddresses = listOfAllowed(storedAddress);

/** The most networks in a query: more than a scraper has. */
const MAX_NETWORKS = 50;

/** The networks in a text such as `10.0.0.0/8,192.168.0.0/16`. */
export const networksOf = (list: string) => list.split(',').map((network) => parseNetwork(network.trim()));

export const networkList = text({ max: 2000 }).check(
  z.check(({ value, issues }) => {
    if (issues.length > 0) return;
    const all = networksOf(value);
    if (all.length <= MAX_NETWORKS && all.every((network) => network !== undefined)) return;
    const message = `Must be at most ${MAX_NETWORKS} networks or IP addresses, separated by commas, such as 10.0.0.0/8,2001:db8::/32.`;
    issues.push({ code: 'custom', input: value, message, params: { reason: 'invalid_format' } });
  }),
);
