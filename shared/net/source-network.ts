import { isIPv6 } from 'node:net';

/**
 * An IPv6 /64 network counts as one address, because a client usually has a whole network; so do all addresses of this
 * host.
 */
export function sourceNetwork(given: string): string {
  const address = given.replace(/^::ffff:(?=[0-9.]+$)/i, '');
  if (address.startsWith('127.') || address === '::1') return 'loopback';
  if (!isIPv6(address)) return address;
  const [left = '', right] = address.split('%', 1)[0]?.split('::') ?? [];
  const groups = left.split(':').filter((group) => group !== '');
  const zeros = right === undefined ? [] : Array.from({ length: 8 }, () => '0');
  return [...groups, ...zeros].slice(0, 4).join(':');
}
