import * as z from 'zod/mini';
import { type Host, parseHost, sameAddress, type SpecialAddress } from '../../../shared/net/host.ts';
import { isInNetwork, parseIpAddress, parseNetwork } from '../../../shared/net/network.ts';
import { text } from '../../../shared/http/text.ts';

const MAX_ADDRESS = 255;

/** An address as an object from before its rules can have it: what is stored stays readable. */
export const storedAddress = text({ max: MAX_ADDRESS });

/** Kinds of addresses by which nobody reaches the host that gives them. */
const notForHosts = ['loopback', 'link-local', 'unspecified', 'multicast', 'reserved', 'cloud service'] as const;

function hostRule(refused: readonly SpecialAddress[]) {
  const list = `${refused.slice(0, -1).join(', ')} or ${refused.at(-1) ?? ''}`;
  return z.check<string>(({ value, issues }) => {
    // One violation for each text.
    if (issues.length > 0) return;
    const host = parseHost(value);
    const refuse = (message: string) =>
      issues.push({ code: 'custom', input: value, message, params: { reason: 'invalid_format' } });
    if (host === undefined)
      refuse('Must be a host name, an IP address or an instance identifier, without a port, a user or a path.');
    else if (host.special !== undefined && refused.includes(host.special)) refuse(`Must not be a ${list} address.`);
  });
}

/** Where others reach a node. A loopback address would be a different host to each of them. */
export const nodeAddress = storedAddress.check(hostRule(notForHosts));

/** Where a service listens. A loopback address is the node that the service runs on: agents there connect to it. */
export const serviceAddress = storedAddress.check(hostRule(notForHosts.filter((kind) => kind !== 'loopback')));

/** The host of a stored address, if others can connect to it. */
export function reachableHost(address: string): Host | undefined {
  const host = parseHost(address);
  return host?.special === undefined ? host : undefined;
}

export const isLoopback = (address: string): boolean => parseHost(address)?.special === 'loopback';

/** An address, a network, a host name, or `*` and a domain: what a host may say that its address is. */
function allowsHost(entry: string, address: string): boolean {
  const ip = parseHost(address)?.ip;
  const network = parseNetwork(entry);
  if (ip !== undefined && network !== undefined)
    return isInNetwork(ip, network) || (network.prefix === network.bits && sameAddress(ip, network));
  if (ip !== undefined || network !== undefined) return false;
  const [name, allowed] = [address.toLowerCase(), entry.toLowerCase()];
  return allowed.startsWith('*') ? name.endsWith(allowed.slice(1)) : name === allowed;
}

/** Which addresses a confined caller may give: the one it calls from, and those that its enrolment token named. */
export interface AddressLimits {
  /** The address that the gateway saw. */
  source: string;
  allowed: readonly string[];
}

export function mayGiveAddress({ source, allowed }: AddressLimits, address: string): boolean {
  const isSource = parseIpAddress(source) !== undefined && allowsHost(source, address);
  return isSource || allowed.some((entry) => allowsHost(entry, address));
}

const ENTRY = /^\*$|^\*\.[^*]+$|^[^*]+$/;

const allowedAddress = text({ max: MAX_ADDRESS }).check(
  z.check(({ value, issues }) => {
    if (issues.length > 0) return;
    const isHost = ENTRY.test(value) && parseHost(value.replace(/^\*\.?/, '') || 'any') !== undefined;
    if (isHost || parseNetwork(value) !== undefined) return;
    const message = 'Must be an IP address, a network such as 10.0.0.0/8, a host name, or *.example.com.';
    issues.push({ code: 'custom', input: value, message, params: { reason: 'invalid_format' } });
  }),
);

/** They travel in the context of the authorizer, which has 8 KB at most. */
const MAX_ALLOWED = 16;

export const allowedAddresses = z.array(allowedAddress).check(
  z.maxLength(MAX_ALLOWED),
  z.meta({
    description:
      'Addresses that the host may set for its node and services, besides its source address: IP addresses, networks ' +
      'such as 10.0.0.0/8, host names, *.example.com for all names in a domain, * for every name. Names are not ' +
      'resolved.',
  }),
);

/** So many networks in a query: more than a scraper has. */
const MAX_NETWORKS = 50;

/** The networks in a text such as `10.0.0.0/8,192.168.0.0/16`. */
export const networksOf = (list: string) => list.split(',').map((one) => parseNetwork(one.trim()));

export const networkList = text({ max: 2000 }).check(
  z.check(({ value, issues }) => {
    if (issues.length > 0) return;
    const all = networksOf(value);
    if (all.length <= MAX_NETWORKS && all.every((network) => network !== undefined)) return;
    const message = `Must be at most ${MAX_NETWORKS} networks or IP addresses, separated by commas, such as 10.0.0.0/8,2001:db8::/32.`;
    issues.push({ code: 'custom', input: value, message, params: { reason: 'invalid_format' } });
  }),
);
